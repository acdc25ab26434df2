import { setImmediate } from 'node:timers/promises';
import { EMPTY_HEAD, readChain } from '@paper/journal';
import type { Head } from '@paper/journal';
import { ExportRefused, writeExport } from './export-folder.ts';
import type { ExportSettings } from './export-folder.ts';
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

/** The number of events that are folded before the next page may arrive. */
const EVENTS_AT_ONCE = 100;

export interface ExportOptions extends ExportSettings, Selection {
  readonly format: Format;
}

/**
 * Folds the journal up to its present head and writes the tables and the manifest.
 * @throws ExportRefused when the export cannot be written, or the journal lacks its market or account; ChainBroken when
 * the journal was changed; the signal's reason once it aborts; errors of the journal
 */
export function exportJournal(options: ExportOptions): Promise<Manifest> {
  const { accountId, format, fromMs, journal, marketId, shard, toMs } = options;
  return writeExport(options, async (folder) => {
    const tables = new Map<TableName, TableFile>();
    try {
      for (const name of options.tables) tables.set(name, await TableFile.create(folder, name, format, TABLES[name]));
      const head = await journal.head();
      if (head.seq === 0) throw new ExportRefused(`The journal of shard ${shard} has no events to export.`);
      const { rulesVersion, through } = await foldInto(tables, head, options);
      const facts = { accountId, format, fromMs, head, marketId, rulesVersion, shard, through, toMs };
      const files = new Map<TableName, WrittenFile>();
      for (const [name, table] of tables) files.set(name, await table.finish(keyFacts(facts)));
      return manifest(facts, files);
    } catch (error) {
      for (const table of tables.values()) await table.abandon();
      throw error;
    }
  });
}

/** Folds the journal, and checks its chain of hashes meanwhile. */
async function foldInto(
  tables: ReadonlyMap<TableName, TableFile>,
  head: Head,
  { onProgress, signal, ...options }: ExportOptions,
) {
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
      // Lets the process receive the next page, since the database waits until its rows are read.
      if (seq % EVENTS_AT_ONCE === 0) await setImmediate();
      // The settlement of a market adds a row for every holder.
      for (const file of files) if (file.isFull) await file.write();
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
