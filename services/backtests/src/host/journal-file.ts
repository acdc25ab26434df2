import { createReadStream, existsSync } from 'node:fs';
import { JOURNAL_PAGE } from '@paper/contracts/journal';

const CHUNK_BYTES = 256 * 1024;
const NEWLINE = 10;

/** Reads pages of a journal in a file, which has one event a line from sequence 1 on and is only appended to. */
export class JournalFile {
  /** The offset of every thousandth event, in the part that was read. */
  readonly #offsets: number[] = [0];

  constructor(private readonly file: string) {}

  /** Whole lines that begin at an event, and whether there are more. No lines if the file does not exist yet. */
  async page(from: number, limit: number) {
    const mark = Math.min(Math.floor((from - 1) / JOURNAL_PAGE.events), this.#offsets.length - 1);
    let [seq, offset, bytes] = [mark * JOURNAL_PAGE.events + 1, this.#offsets[mark] ?? 0, 0];
    const lines: Buffer[] = [];
    const pageOf = (hasNext: boolean) => ({ bytes: Buffer.concat(lines), count: lines.length, hasNext });
    for await (const line of linesFrom(this.file, offset)) {
      if (seq % JOURNAL_PAGE.events === 1) this.#offsets[(seq - 1) / JOURNAL_PAGE.events] = offset;
      if (seq >= from) {
        bytes += line.length;
        if (lines.length === limit || (lines.length > 0 && bytes > JOURNAL_PAGE.bytes)) return pageOf(true);
        lines.push(line);
      }
      seq += 1;
      offset += line.length;
    }
    return pageOf(false);
  }
}

/** The whole lines of a file from an offset on, with their line ends. */
async function* linesFrom(file: string, start: number): AsyncGenerator<Buffer> {
  if (!existsSync(file)) return;
  let rest = Buffer.alloc(0);
  for await (const chunk of createReadStream(file, { start, highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>) {
    const all = Buffer.concat([rest, chunk]);
    let begin = 0;
    for (let end = all.indexOf(NEWLINE); end !== -1; end = all.indexOf(NEWLINE, begin)) {
      yield all.subarray(begin, end + 1);
      begin = end + 1;
    }
    rest = all.subarray(begin);
  }
}
