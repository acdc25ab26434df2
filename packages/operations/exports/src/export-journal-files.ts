import { VERSION } from '@paper/contracts';
import { checkChain, decodePublic, EMPTY_HEAD, withhold } from '@paper/journal';
import type { Head, StoredEvent } from '@paper/journal';
import { ExportRefused, writeExport } from './export-folder.ts';
import type { ExportSettings } from './export-folder.ts';
import { HashedFile } from './hashed-file.ts';
import { pagesUntil } from './journal-pages.ts';
import { timeOrNull } from './manifest.ts';

export interface JournalFilesOptions extends ExportSettings {
  /** Only events since this time, in ms; null for all events from the first one on. */
  readonly fromMs: number | null;
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
export type JournalManifest = Awaited<ReturnType<typeof exportJournalFiles>>;

/**
 * Writes the public journal into a file for each year, for `verify-journal.mjs`, and checks its chain of hashes from the
 * first event on. No file ends within a decision, whose events all have the same time.
 * @throws ExportRefused when the export cannot be written, or no event is in that time; ChainBroken when the journal was
 * changed; the signal's reason once it aborts; errors of the journal
 */
export function exportJournalFiles(options: JournalFilesOptions) {
  const { fromMs, journal, shard, toMs } = options;
  return writeExport(options, async (folder) => {
    const head = await journal.head();
    const files = await writeYears(folder, head, options);
    if (files.length === 0) throw new ExportRefused(`The journal of shard ${shard} has no events in that time.`);
    return {
      manifestVersion: 1 as const,
      service: { name: 'paper-trading-service', version: VERSION },
      journal: { shard, headSeq: head.seq, headHash: head.hash },
      selection: { from: timeOrNull(fromMs), to: timeOrNull(toMs) },
      format: 'journal' as const,
      files,
    };
  });
}

async function writeYears(folder: string, head: Head, options: JournalFilesOptions): Promise<readonly JournalFile[]> {
  const { fromMs, journal, onProgress, signal, toMs } = options;
  const years = new YearFiles(folder);
  let before: Head = EMPTY_HEAD;
  try {
    for await (const page of pagesUntil(journal, head.seq)) {
      signal.throwIfAborted();
      checkChain(before, page);
      for (const stored of page) {
        const { at } = decodePublic(stored).event;
        if (toMs !== null && at >= toMs) return await years.finish();
        if (fromMs === null || at >= fromMs) await years.add(new Date(at).getUTCFullYear(), stored, before);
        before = { hash: stored.hash, seq: stored.seq };
      }
      await years.flush();
      onProgress?.(before.seq, head.seq);
    }
    return await years.finish();
  } catch (error) {
    await years.abandon();
    throw error;
  }
}

/** The files of the years so far; the last one is open. */
class YearFiles {
  readonly #done: JournalFile[] = [];
  #open: { file: HashedFile; year: number; events: number; after: Head; through: Head } | null = null;
  #lines: string[] = [];

  constructor(private readonly folder: string) {}

  /** Adds the next event; `before` is the head before it. `flush` writes the event. */
  async add(year: number, stored: StoredEvent, before: Head): Promise<void> {
    if (this.#open?.year !== year) {
      await this.finish();
      const file = await HashedFile.create(this.folder, `journal-${year}.ndjson`);
      this.#open = { file, year, events: 0, after: before, through: before };
    }
    const { hash, id, privateDigest, publicText, seq, type } = withhold(stored);
    this.#lines.push(`${JSON.stringify({ hash, id, privateDigest, publicText, seq, type })}\n`);
    this.#open.events += 1;
    this.#open.through = { hash, seq };
  }

  async flush(): Promise<void> {
    const bytes = Buffer.from(this.#lines.join(''));
    this.#lines = [];
    await this.#open?.file.write(bytes);
  }

  async finish(): Promise<readonly JournalFile[]> {
    if (this.#open !== null) {
      await this.flush();
      const { after, events, through } = this.#open;
      const { file, ...written } = await this.#open.file.finish();
      this.#done.push({ file, events, ...written, after, through });
      this.#open = null;
    }
    return this.#done;
  }

  async abandon(): Promise<void> {
    await this.#open?.file.abandon();
  }
}
