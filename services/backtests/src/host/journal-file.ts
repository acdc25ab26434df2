import { open } from 'node:fs/promises';
import { JOURNAL_PAGE } from '@paper/contracts/journal';

const CHUNK_BYTES = 256 * 1024;
const NEWLINE = 10;

/** Reads pages of a journal in a file, which has one event a line from sequence 1 on and is only appended to. */
export class JournalFile {
  /** The offset of every thousandth event, in the part that was read. */
  readonly #offsets: number[] = [0];

  constructor(private readonly file: string) {}

  /** Whole lines that begin at an event, and whether there are more. No lines if the file does not exist yet. */
  async page(
    from: number,
    limit: number,
  ): Promise<{ readonly bytes: Buffer; readonly count: number; readonly hasNext: boolean }> {
    const handle = await open(this.file).catch(() => null);
    if (handle === null) return { bytes: Buffer.alloc(0), count: 0, hasNext: false };
    try {
      const mark = Math.min(Math.floor((from - 1) / JOURNAL_PAGE.events), this.#offsets.length - 1);
      let [seq, offset, bytes] = [mark * JOURNAL_PAGE.events + 1, this.#offsets[mark] ?? 0, 0];
      const lines: Buffer[] = [];
      let rest = Buffer.alloc(0);
      for (;;) {
        const { bytesRead, buffer } = await handle.read(
          Buffer.alloc(CHUNK_BYTES),
          0,
          CHUNK_BYTES,
          offset + rest.length,
        );
        if (bytesRead === 0) return { bytes: Buffer.concat(lines), count: lines.length, hasNext: false };
        const all = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
        let begin = 0;
        for (let end = all.indexOf(NEWLINE); end !== -1; end = all.indexOf(NEWLINE, begin)) {
          const line = all.subarray(begin, end + 1);
          if (seq % JOURNAL_PAGE.events === 1) this.#offsets[(seq - 1) / JOURNAL_PAGE.events] = offset;
          if (seq >= from) {
            const isFull = lines.length === limit || (lines.length > 0 && bytes + line.length > JOURNAL_PAGE.bytes);
            if (isFull) return { bytes: Buffer.concat(lines), count: lines.length, hasNext: true };
            lines.push(line);
            bytes += line.length;
          }
          seq += 1;
          offset += line.length;
          begin = end + 1;
        }
        rest = all.subarray(begin);
      }
    } finally {
      await handle.close();
    }
  }
}
