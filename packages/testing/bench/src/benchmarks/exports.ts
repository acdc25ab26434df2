import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TABLE_NAMES } from '@paper/exports';
import type { TableName } from '@paper/exports';
import { createPostgresJournal } from '@paper/journal';
import { fillJournal } from '../fixtures/journal.ts';
import { figure, printBar, printTable, runInChildProcess, startPostgres } from '../index.ts';
import type { Measured, Run } from './exports/measured-run.ts';

/**
 * Measures `npm run export` to Parquet of a journal, and of its first half, each in a new process. The comparison shows
 * whether the cost grows faster than the journal. Option: number of events (default 1,000,000).
 */
const EVENTS = Number(process.argv[2] ?? 1_000_000);
const PROGRAM = path.join(import.meta.dirname, 'exports/measured-run.ts');
const FACTS: readonly TableName[] = ['trades', 'orders', 'settlements', 'candles', 'equity'];
/** The young generation of `npm run export`. */
const NODE_OPTIONS = ['--max-semi-space-size=64'];
/** The required seconds for 1,000,000 events. */
const BARS = { facts: 30, all: 60 };

// Reads are measured; filling the journal needs no flushes.
const postgres = await startPostgres({ fsync: 'off', synchronous_commit: 'off' });
const folder = mkdtempSync(path.join(tmpdir(), 'paper-bench-exports-'));
try {
  const { connectionString } = postgres;
  const journal = await createPostgresJournal({ connectionString });
  await fillJournal(journal, { accounts: EVENTS / 50, events: EVENTS, markets: 1_000 });
  await journal.close();

  const row = printTable(['tables', 'events'], ['seconds', 'processor, s', 'memory at its most, MB', 'MB of files']);
  const measure = async (name: string, tables: readonly TableName[], events: number): Promise<number> => {
    const out = path.join(folder, `${name}-${events}`);
    const run: Run = { connectionString, events, out, tables };
    const { bytes, cpuMs, ms, peakMb } = await runInChildProcess<Measured>(PROGRAM, run, NODE_OPTIONS);
    row(name, figure(events), figure(ms / 1000, 1), figure(cpuMs / 1000, 1), figure(peakMb), figure(bytes / 1e6, 1));
    rmSync(out, { recursive: true });
    return ms / 1000;
  };
  await measure('all', TABLE_NAMES, EVENTS / 2);
  const all = await measure('all', TABLE_NAMES, EVENTS);
  const facts = await measure(FACTS.join(', '), FACTS, EVENTS);
  console.log('');
  const scale = EVENTS / 1_000_000;
  printBar(`${FACTS.join(', ')}, seconds`, facts, { atMost: BARS.facts * scale }, (seconds) => figure(seconds, 1));
  printBar('all tables, seconds', all, { atMost: BARS.all * scale }, (seconds) => figure(seconds, 1));
} finally {
  rmSync(folder, { force: true, recursive: true });
  await postgres.stop();
}
