import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SnapshotStore, takeSnapshot } from '@paper/command-side';
import { startEmbeddedPostgres } from '@paper/embedded-postgres';
import { createPostgresJournal, type Journal } from '@paper/journal';
import { BenchExchange } from './startup/journal.ts';
import { measureStart, type ServiceStart } from './startup/service-start.ts';

/**
 * Measures the time from the spawn of a `command-api` to its first command, on a Postgres journal of 1,000,000 events:
 * folded from the first, and from a snapshot with 10,000 events after it; and the cost of taking that snapshot. The
 * service's CPU time since its program was loaded is shown too, for a machine that is shared. Options: number of events
 * (default 1,000,000).
 */
const EVENTS = Number(process.argv[2] ?? 1_000_000);
const TAIL = 10_000;
const ACCOUNTS = EVENTS / 10;
const MARKETS = 1_000;
const ROUNDS = 3;
const BAR_MS = 3_000;

const count = (value: number): string => Math.round(value).toLocaleString('en-US');
const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;

/** The start with the median time. */
function median(starts: readonly ServiceStart[]): ServiceStart {
  const sorted = [...starts].sort((a, b) => a.servesMs - b.servesMs);
  const middle = sorted[sorted.length >> 1];
  if (middle === undefined) throw new Error('nothing was started');
  return middle;
}

function row(what: string, ms: number, cpuMs: number | null): void {
  const cpu = cpuMs === null ? '' : seconds(cpuMs);
  console.log(`${what.padEnd(52)} ${seconds(ms).padStart(9)} ${cpu.padStart(9)}`.trimEnd());
}

function rows(what: string, { servesMs, cpuMs, listensMs, beginsMs, foldedMs }: ServiceStart): void {
  row(what, servesMs, cpuMs);
  row('  until its program is loaded and listens', listensMs, null);
  row('  then, until the fold begins', beginsMs - listensMs, null);
  row('  then, to the end of the journal and the lease', foldedMs - beginsMs, null);
  row('  then, until its epoch is in the journal', servesMs - foldedMs, null);
}

async function fill(journal: Journal): Promise<BenchExchange> {
  const exchange = new BenchExchange(journal, MARKETS);
  await exchange.open(ACCOUNTS);
  await exchange.tradeUntil(EVENTS - TAIL);
  return exchange;
}

async function startRounds(databaseUrl: string, what: string): Promise<readonly ServiceStart[]> {
  const starts: ServiceStart[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    console.error(`${what}, round ${round} of ${ROUNDS} …`);
    starts.push(await measureStart(databaseUrl));
  }
  return starts;
}

const dataDir = await mkdtemp(join(tmpdir(), 'paper-bench-'));
// Postgres has the settings of a real service, so the first epoch waits for the disk as it does there.
const postgres = await startEmbeddedPostgres({ dataDir });
try {
  const { connectionString } = postgres;
  const journal = await createPostgresJournal({ connectionString });
  console.error(`making a journal of ${count(EVENTS)} events …`);
  const exchange = await fill(journal);
  // This shard name hides the snapshot from every start, until all folds from the first event have been measured.
  const aside = new SnapshotStore({ connectionString, shard: 'aside' });
  const observer = {
    began: () => undefined,
    refused: (reason: string) => {
      throw new Error(reason);
    },
  };
  const [begunMs, begun] = [performance.now(), process.cpuUsage()];
  const { snapshot } = await takeSnapshot(journal, aside, 'bench', observer);
  const [takingMs, taking] = [performance.now() - begunMs, process.cpuUsage(begun)];
  if (snapshot === null) throw new Error('no snapshot was taken');
  await exchange.tradeUntil(EVENTS);
  await journal.close();

  const fromFirst = await startRounds(connectionString, 'from the first event');
  const store = new SnapshotStore({ connectionString, shard: 'main' });
  await store.write({ head: snapshot, state: await aside.read(snapshot) }, 'bench', null);
  const fromSnapshot = await startRounds(connectionString, 'from the snapshot');

  console.log(
    `${count(EVENTS)} events, ${count(ACCOUNTS)} accounts, ${count(MARKETS)} markets; median of ${ROUNDS} rounds`,
  );
  console.log(`Snapshot: ${count(snapshot.bytes / 1e6)} MB in ${snapshot.pieces} pieces`);
  console.log('Postgres flushes to the disk (fsync on), as users run it.\n');
  console.log(`${''.padEnd(52)} ${'time'.padStart(9)} ${'processor'.padStart(9)}`);
  rows(`start, from the snapshot and ${count(TAIL)} events`, median(fromSnapshot));
  rows('start, folded from the first event', median(fromFirst));
  row('taking the snapshot, with its fold', takingMs, (taking.user + taking.system) / 1_000);
  const ms = median(fromSnapshot).servesMs;
  const isMet = ms <= BAR_MS;
  console.log(`\nstart with a snapshot: ${seconds(ms)}, bar ${seconds(BAR_MS)}: ${isMet ? 'met' : 'NOT MET'}`);
  if (!isMet) process.exitCode = 1;
} finally {
  await postgres.stop();
  await rm(dataDir, { force: true, recursive: true });
}
