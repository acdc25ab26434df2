import { createHash } from 'node:crypto';
import { open, writeFile } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { VERSION } from '@paper/contracts';
import { checkChain, decodePublic, EMPTY_HEAD, withhold } from '@paper/journal';
import type { Head, Journal, StoredEvent } from '@paper/journal';
import { createPartialFolder, ExportRefused, readableWriteError } from './export-folder.ts';
import { pagesUntil } from './journal-pages.ts';
import { timeOrNull } from './manifest.ts';

export interface JournalFilesOptions {
  readonly journal: Pick<Journal, 'head' | 'read'>;
  readonly shard: string;
  /** The folder to create; it may exist if it is empty. */
  readonly out: string;
  /** Only events since this time, in ms; null for all events from the first one on. */
  readonly fromMs: number | null;
  /** Only events before this time, in ms; null for all events up to the head. */
  readonly toMs: number | null;
  readonly signal: AbortSignal;
  readonly onProgress?: (seq: number, target: number) => void;
}

/** One file with the public events of a year in UTC, in the format of GET /api/journal. */
export interface JournalFile {
  readonly file: string;
  readonly events: number;
  readonly bytes: number;
  readonly sha256: string;
  /** The event before the first one of the file: the value of the verifier's option --after. */
  readonly after: Head;
  readonly through: Head;
}

/** Describes an export of the journal itself. */
export interface JournalManifest {
  readonly manifestVersion: 1;
  readonly service: { readonly name: string; readonly version: string };
  readonly journal: { readonly shard: string; readonly headSeq: number; readonly headHash: string };
  readonly selection: { readonly from: string | null; readonly to: string | null };
  readonly format: 'journal';
  readonly files: readonly JournalFile[];
}

/**
 * Writes the public journal into a file for each year, for `verify-journal.mjs`, and checks its chain of hashes from
 * the first event on. No file ends within a decision, whose events all have the same time. The folder gets its name
 * when all files are on the disk.
 * @throws ExportRefused when the export cannot be written, or no event is in that time; ChainBroken when the journal
 * was changed; the signal's reason once it aborts; errors of the journal
 */
export async function exportJournalFiles(options: JournalFilesOptions): Promise<JournalManifest> {
  const { fromMs, journal, shard, toMs } = options;
  const out = path.resolve(options.out);
  const folder = await createPartialFolder(out);
  const years = new YearFiles(folder.path);
  try {
    const head = await journal.head();
    await writeYears(years, head, options);
    const files = await years.finish();
    if (files.length === 0) throw new ExportRefused(`The journal of shard ${shard} has no events in that time.`);
    const made: JournalManifest = {
      manifestVersion: 1,
      service: { name: 'paper-trading-service', version: VERSION },
      journal: { shard, headSeq: head.seq, headHash: head.hash },
      selection: { from: timeOrNull(fromMs), to: timeOrNull(toMs) },
      format: 'journal',
      files,
    };
    const text = `${JSON.stringify(made, null, 2)}\n`;
    await writeFile(path.join(folder.path, 'manifest.json'), text, { flag: 'wx', flush: true });
    await folder.publish();
    return made;
  } catch (error) {
    await years.abandon();
    await folder.remove();
    throw readableWriteError(error, out);
  }
}

async function writeYears(
  years: YearFiles,
  head: Head,
  { fromMs, journal, onProgress, signal, toMs }: JournalFilesOptions,
): Promise<void> {
  let before: Head = EMPTY_HEAD;
  for await (const page of pagesUntil(journal, head.seq)) {
    signal.throwIfAborted();
    checkChain(before, page);
    for (const stored of page) {
      const { at } = decodePublic(stored).event;
      if (toMs !== null && at >= toMs) return years.flush();
      if (fromMs === null || at >= fromMs) await years.add(new Date(at).getUTCFullYear(), stored, before);
      before = { hash: stored.hash, seq: stored.seq };
    }
    await years.flush();
    onProgress?.(before.seq, head.seq);
  }
}

/** The files of the years so far; the last one is open. */
class YearFiles {
  readonly #done: JournalFile[] = [];
  #open: OpenFile | null = null;

  constructor(private readonly folder: string) {}

  /** Adds the next event; `before` is the head before it. `flush` writes the event. */
  async add(year: number, stored: StoredEvent, before: Head): Promise<void> {
    if (this.#open?.year !== year) {
      await this.#close();
      this.#open = await OpenFile.create(this.folder, year, before);
    }
    this.#open.add(stored);
  }

  async flush(): Promise<void> {
    await this.#open?.flush();
  }

  async finish(): Promise<readonly JournalFile[]> {
    await this.#close();
    return this.#done;
  }

  async abandon(): Promise<void> {
    await this.#open?.abandon();
  }

  async #close(): Promise<void> {
    if (this.#open !== null) this.#done.push(await this.#open.finish());
    this.#open = null;
  }
}

class OpenFile {
  readonly #hash = createHash('sha256');
  #lines: string[] = [];
  #bytes = 0;
  #events = 0;
  #through: Head;

  private constructor(
    private readonly file: string,
    readonly year: number,
    private readonly handle: FileHandle,
    private readonly after: Head,
  ) {
    this.#through = after;
  }

  static async create(folder: string, year: number, after: Head): Promise<OpenFile> {
    const file = `journal-${year}.ndjson`;
    return new OpenFile(file, year, await open(path.join(folder, file), 'wx'), after);
  }

  add(stored: StoredEvent): void {
    const { hash, id, privateDigest, publicText, seq, type } = withhold(stored);
    this.#lines.push(`${JSON.stringify({ hash, id, privateDigest, publicText, seq, type })}\n`);
    this.#through = { hash, seq };
  }

  async flush(): Promise<void> {
    const bytes = Buffer.from(this.#lines.join(''));
    this.#events += this.#lines.length;
    this.#lines = [];
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
    await this.handle.writeFile(bytes);
  }

  async finish(): Promise<JournalFile> {
    await this.flush();
    await this.handle.sync();
    await this.handle.close();
    const sha256 = this.#hash.digest('hex');
    const { after, file } = this;
    return { file, events: this.#events, bytes: this.#bytes, sha256, after, through: this.#through };
  }

  async abandon(): Promise<void> {
    await this.handle.close().catch(() => undefined);
  }
}
