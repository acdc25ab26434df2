import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { EMPTY_HEAD, readChain } from '@paper/journal';
import type { Head, Journal } from '@paper/journal';
import { createPartialFolder, ExportRefused, readableWriteError } from './export-folder.ts';
import { ExportFold } from './export-fold.ts';
import type { Selection } from './export-fold.ts';
import type { Format } from './formats.ts';
import { pagesUntil } from './journal-pages.ts';
import { keyFacts, manifest } from './manifest.ts';
import type { Manifest, ExportEnd } from './manifest.ts';
import { TableFile } from './table-file.ts';
import type { WrittenFile } from './table-file.ts';
import { TABLES } from './tables.ts';
import type { TableName } from './tables.ts';

/** Events that are folded without letting the next page in. */
const EVENTS_AT_ONCE = 100;

export interface ExportOptions extends Selection {
  readonly journal: Pick<Journal, 'head' | 'read'>;
  readonly shard: string;
  /** The folder to make: new, or empty. */
  readonly out: string;
  readonly format: Format;
  /** The export shows the exchange just before the first event at or after this time, in ms; null: at the head. */
  readonly toMs: number | null;
  readonly signal: AbortSignal;
  readonly onProgress?: (seq: number, target: number) => void;
}

/**
 * Folds the journal up to its present head and writes the tables and the manifest. The folder gets its name when all of
 * it is on the disk; until then, and after a failure, nothing is there under that name.
 *
 * @throws ExportRefused for what cannot be written or is not in the journal; ChainBroken where the journal was changed;
 *   the signal's reason once it aborts; errors of the journal.
 */
export async function exportJournal(options: ExportOptions): Promise<Manifest> {
  const { accountId, format, fromMs, journal, marketId, shard, toMs } = options;
  const out = path.resolve(options.out);
  const folder = await createPartialFolder(out);
  const tables = new Map<TableName, TableFile>();
  try {
    for (const name of options.tables) {
      tables.set(name, await TableFile.create(folder.path, name, format, TABLES[name]));
    }
    const head = await journal.head();
    if (head.seq === 0) throw new ExportRefused(`The journal of shard ${shard} has no events to export.`);
    const { rulesVersion, through } = await foldInto(tables, head, options);
    const facts = { accountId, format, fromMs, head, marketId, rulesVersion, shard, through, toMs };
    const files = new Map<TableName, WrittenFile>();
    for (const [name, table] of tables) files.set(name, await table.finish(keyFacts(facts)));
    const made = manifest(facts, files);
    const text = `${JSON.stringify(made, null, 2)}\n`;
    await writeFile(path.join(folder.path, 'manifest.json'), text, { flag: 'wx', flush: true });
    await folder.publish();
    return made;
  } catch (error) {
    for (const table of tables.values()) await table.abandon();
    await folder.remove();
    throw readableWriteError(error, out);
  }
}

interface Folded {
  readonly through: ExportEnd;
  readonly rulesVersion: number;
}

/** Checks the chain of hashes on the way. */
async function foldInto(
  tables: ReadonlyMap<TableName, TableFile>,
  head: Head,
  { onProgress, signal, ...options }: ExportOptions,
): Promise<Folded> {
  const fold = new ExportFold(options, (name, row) => tables.get(name)?.add(row));
  const files = [...tables.values()];
  let through: ExportEnd = { ...EMPTY_HEAD, at: 0 };
  for await (const page of pagesUntil(options.journal, head.seq)) {
    signal.throwIfAborted();
    const before = through.seq;
    for (const read of readChain(through, page)) {
      const { event, hash, seq } = read;
      if (options.toMs !== null && event.at >= options.toMs) break;
      fold.apply(read);
      through = { hash, seq, at: event.at };
      // The next page arrives meanwhile: the database waits where nobody takes its rows.
      if (seq % EVENTS_AT_ONCE === 0) await setImmediate();
      // A market that settles has a row of every holder.
      for (const file of files) if (file.isFull) await file.writeFull();
    }
    onProgress?.(through.seq, head.seq);
    if (through.seq < before + page.length) break;
  }
  if (through.seq === 0) throw new ExportRefused('The journal has no event before --to.');
  assertFound(fold, options, through);
  fold.finish();
  return { rulesVersion: fold.rulesVersion, through };
}

function assertFound(fold: ExportFold, { accountId, marketId }: Selection, { seq }: ExportEnd): void {
  if (marketId !== null && !fold.hasMarket) {
    throw new ExportRefused(`No market has the id ${marketId} at sequence ${seq} of the journal (--market).`);
  }
  if (accountId !== null && !fold.hasAccount) {
    throw new ExportRefused(`No account has the id ${accountId} at sequence ${seq} of the journal (--account).`);
  }
}
