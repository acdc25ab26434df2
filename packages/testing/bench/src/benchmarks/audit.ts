import path from 'node:path';
import {
  runInChildProcess,
  figure,
  inTurns,
  medianBy,
  percent,
  printBar,
  printTable,
  startPostgres,
} from '../index.ts';
import type { Measured, Run } from './audit/measured-run.ts';
import { fillDatabase } from '../fixtures/journal.ts';

/**
 * Measures `npm run audit -- verify` on a journal, without and with its read models, and a program that only reads the
 * journal's pages. They take turns, each in a new process. CPU time and memory are of that process, without Postgres.
 * Options: number of events (default 1,000,000), rounds (default 3).
 */
const EVENTS = Number(process.argv[2] ?? 1_000_000);
const ROUNDS = Number(process.argv[3] ?? 3);
const ACCOUNTS = EVENTS / 50;
const MARKETS = 1_000;
/** The required events a second, with read models: 10,000,000 in six minutes. */
const BAR = 30_000;
const PROGRAM = path.join(import.meta.dirname, 'audit/measured-run.ts');
const NAMES: Readonly<Record<Run['what'], string>> = {
  read: 'bare read of the journal',
  journal: 'audit of the journal',
  'journal and read models': 'audit of journal and read models',
};

const WHAT = Object.keys(NAMES) as Run['what'][];
const rateOf = ({ events, ms }: Measured): number => (events * 1000) / ms;

// Reads are measured; filling the journal needs no flushes.
const postgres = await startPostgres({ fsync: 'off', synchronous_commit: 'off' });
try {
  const { connectionString } = postgres;
  const filled = await fillDatabase(connectionString, { accounts: ACCOUNTS, events: EVENTS, markets: MARKETS });
  await filled.close();

  const runs = await inTurns(WHAT, { rounds: ROUNDS }, (what, round) => {
    console.error(`round ${round} of ${ROUNDS}: ${NAMES[what]} …`);
    return runInChildProcess<Measured>(PROGRAM, { connectionString, what } satisfies Run);
  });
  const medians = runs.map((measured) => medianBy(measured, rateOf));
  const [bare, whole] = [medians[0], medians.at(-1)] as [Measured, Measured];
  console.log(
    `${figure(bare.events)} events, ${figure(whole.rows)} rows, ${figure(ACCOUNTS)} accounts, ${figure(MARKETS)} markets; medians of ${ROUNDS} rounds in turns\n`,
  );
  const row = printTable([''], ['events/s', 'of the bare read', 'processor, µs an event', 'memory at its most, MB']);
  for (const [index, what] of WHAT.entries()) {
    const run = medians[index] ?? bare;
    const cpuUs = (1000 * run.cpuMs) / run.events;
    row(NAMES[what], figure(rateOf(run)), percent(rateOf(run) / rateOf(bare)), figure(cpuUs, 1), figure(run.peakMb));
  }
  console.log('');
  printBar('with read models, events/s', rateOf(whole), { atLeast: BAR }, figure);
} finally {
  await postgres.stop();
}
