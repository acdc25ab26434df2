import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres } from '@paper/embedded-postgres';
import { createPostgresJournal } from '@paper/journal';
import { rebuilding } from '@paper/read-models';
import { findNames } from '@paper/service-kit';
import { storeTestNames } from '@paper/testkit';
import { askAside } from '../harness/ask-aside.ts';
import type { Measured, Run } from './audit/measured-run.ts';
import { fillJournal } from './startup/journal.ts';

/**
 * Measures `npm run audit -- verify` on a journal of 1,000,000 events, without and with its read models, beside a
 * program that only reads the same pages of the journal. Each runs in a process of its own, in turns. CPU time and peak
 * memory of that process are shown too, for a machine that is shared; Postgres's own CPU time is not included. Options:
 * number of events (default 1,000,000), rounds (default 3).
 */
const EVENTS = Number(process.argv[2] ?? 1_000_000);
const ROUNDS = Number(process.argv[3] ?? 3);
const ACCOUNTS = EVENTS / 50;
const MARKETS = 1_000;
/** Events a second, with read models: 10,000,000 in a quarter of an hour. */
const BAR = 11_000;
const PROGRAM = path.join(import.meta.dirname, 'audit/measured-run.ts');
const WHAT: readonly Run['what'][] = ['read', 'journal', 'journal and read models'];
const NAMES: Readonly<Record<Run['what'], string>> = {
  read: 'bare read of the journal',
  journal: 'audit of the journal',
  'journal and read models': 'audit of journal and read models',
};

const count = (value: number): string => Math.round(value).toLocaleString('en-US');
const rateOf = ({ events, ms }: Measured): number => (events * 1000) / ms;

/** The round of median rate. */
function median(runs: readonly Measured[]): Measured {
  const sorted = [...runs].sort((a, b) => rateOf(a) - rateOf(b));
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error('there was no round');
  return middle;
}

const dataDir = await mkdtemp(path.join(tmpdir(), 'paper-bench-'));
// Reads are measured; filling the journal needs no flushes.
const postgres = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off', synchronous_commit: 'off' } });
try {
  const { connectionString } = postgres;
  const journal = await createPostgresJournal({ connectionString });
  console.error(`making a journal of ${count(EVENTS)} events …`);
  const accountIds = await fillJournal(journal, { accounts: ACCOUNTS, events: EVENTS, markets: MARKETS });
  await findNames(connectionString);
  await storeTestNames(connectionString, 'main', accountIds);
  console.error('making its read models …');
  await rebuilding.rebuild({ connectionString, journal, onProgress: () => undefined });
  await journal.close();

  const runs = new Map<Run['what'], Measured[]>(WHAT.map((what) => [what, []]));
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const what of WHAT) {
      console.error(`round ${round} of ${ROUNDS}: ${NAMES[what]} …`);
      runs.get(what)?.push(await askAside(PROGRAM, { connectionString, what } satisfies Run));
    }
  }
  const medians = WHAT.map((what) => [what, median(runs.get(what) ?? [])] as const);
  const [[, bare]] = medians as [(typeof medians)[number]];
  const rows = medians.at(-1)?.[1].rows ?? 0;
  console.log(
    `${count(bare.events)} events, ${count(rows)} rows, ${count(ACCOUNTS)} accounts, ${count(MARKETS)} markets; medians of ${ROUNDS} rounds in turns\n`,
  );
  console.log('|  | events/s | of the bare read | processor, µs an event | memory at its most, MB |');
  console.log('| --- | ---: | ---: | ---: | ---: |');
  for (const [what, run] of medians) {
    const share = `${((100 * rateOf(run)) / rateOf(bare)).toFixed(0)} %`;
    const cpu = ((1000 * run.cpuMs) / run.events).toFixed(1);
    console.log(`| ${NAMES[what]} | ${count(rateOf(run))} | ${share} | ${cpu} | ${count(run.peakMb)} |`);
  }
  const rate = rateOf(medians.at(-1)?.[1] ?? bare);
  const isMet = rate >= BAR;
  console.log(`\nwith read models: ${count(rate)} events/s, bar ${count(BAR)}: ${isMet ? 'met' : 'NOT MET'}`);
  if (!isMet) process.exitCode = 1;
} finally {
  await postgres.stop();
  await rm(dataDir, { force: true, recursive: true });
}
