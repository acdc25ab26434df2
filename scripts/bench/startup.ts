import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCommandSide, createSnapshots, SnapshotStore, takeSnapshot } from '@paper/command-api';
import { startEmbeddedPostgres } from '@paper/embedded-postgres';
import { DEFAULT_SETTINGS } from '@paper/exchange';
import { createPostgresJournal, type Journal } from '@paper/journal';
import { createLogger, createMetrics } from '@paper/service-kit';
import { BenchExchange } from './startup/journal.ts';

/**
 * How long a command side takes from nothing to its first command, on a Postgres journal of 1,000,000 events: folded
 * from the first, and from a snapshot with 10,000 events after it; and what taking that snapshot costs. A start is all
 * that a process does: connect, begin, fold, append its epoch. Processor time stands beside, for a machine that is
 * shared.
 *
 * Options: how many events (default 1,000,000).
 */
const EVENTS = Number(process.argv[2] ?? 1_000_000);
const TAIL = 10_000;
const ACCOUNTS = EVENTS / 10;
const MARKETS = 1_000;
const ROUNDS = 3;
const BAR_MS = 3_000;

const logger = createLogger({ level: 'fatal', name: 'bench' });
const count = (value: number): string => Math.round(value).toLocaleString('en-US');
const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;

interface Cost {
  readonly ms: number;
  readonly cpuMs: number;
}

async function timed<T>(work: () => Promise<T>): Promise<Cost & { readonly result: T }> {
  const [begunMs, begun] = [performance.now(), process.cpuUsage()];
  const result = await work();
  const { system, user } = process.cpuUsage(begun);
  return { cpuMs: (system + user) / 1000, ms: performance.now() - begunMs, result };
}

/** A start of the command side; `snapshots`: whether it begins from one. */
async function start(connectionString: string, snapshots: boolean): Promise<Cost> {
  const journal = await createPostgresJournal({ connectionString });
  const common = { build: 'bench', journal, logger, shard: 'main' };
  const metrics = createMetrics();
  const { begin } = createSnapshots({ ...common, databaseUrl: connectionString, every: 0, metrics });
  const side = createCommandSide({
    ...common,
    ...(snapshots ? { begin } : {}),
    metrics,
    onFenced: (error) => {
      throw error;
    },
    projections: () => Promise.resolve([]),
    readModel: { endedOrder: () => Promise.resolve(null), fresh: () => Promise.resolve() },
    settings: DEFAULT_SETTINGS,
  });
  const cost = await timed(() => side.start());
  await side.stop();
  await journal.close();
  return cost;
}

function row(what: string, costs: readonly Cost[], events: number): number {
  const [best] = [...costs].sort((a, b) => a.ms - b.ms);
  if (best === undefined) return 0;
  const [ms, cpu] = [seconds(best.ms).padStart(9), seconds(best.cpuMs).padStart(9)];
  console.log(`${what.padEnd(44)} ${ms} ${cpu}   ${count((events * 1000) / best.ms).padStart(9)} events/s`);
  return best.ms;
}

async function fill(journal: Journal): Promise<BenchExchange> {
  const exchange = new BenchExchange(journal, MARKETS);
  await exchange.open(ACCOUNTS);
  await exchange.tradeUntil(EVENTS - TAIL);
  return exchange;
}

const dataDir = await mkdtemp(join(tmpdir(), 'paper-bench-'));
// What is measured reads; filling it needs no flushes.
const postgres = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off', synchronous_commit: 'off' } });
try {
  const { connectionString } = postgres;
  const journal = await createPostgresJournal({ connectionString });
  console.error(`making a journal of ${count(EVENTS)} events …`);
  const exchange = await fill(journal);
  const store = new SnapshotStore({ connectionString, shard: 'main' });
  const observer = {
    began: () => undefined,
    refused: (reason: string) => {
      throw new Error(reason);
    },
  };
  const taking = await timed(() => takeSnapshot(journal, store, 'bench', observer));
  await exchange.tradeUntil(EVENTS);
  const { snapshot, events: folded } = taking.result;
  const read: Cost[] = [];
  const [fromFirst, fromSnapshot]: [Cost[], Cost[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    if (snapshot !== null) read.push(await timed(() => store.read(snapshot)));
    fromFirst.push(await start(connectionString, false));
    fromSnapshot.push(await start(connectionString, true));
  }
  await journal.close();

  console.log(
    `${count(EVENTS)} events, ${count(ACCOUNTS)} accounts, ${count(MARKETS)} markets; best of ${ROUNDS} rounds`,
  );
  console.log(`Snapshot: ${count((snapshot?.bytes ?? 0) / 1e6)} MB\n`);
  console.log(`${''.padEnd(44)} ${'time'.padStart(9)} ${'processor'.padStart(9)}`);
  row('start, folded from the first event', fromFirst, EVENTS);
  const ms = row(`start, from the snapshot and ${count(TAIL)} events`, fromSnapshot, EVENTS);
  row('  of that, reading the snapshot', read, EVENTS - TAIL);
  row('taking the snapshot, with its fold', [taking], folded);
  const isMet = ms <= BAR_MS;
  console.log(`\nstart with a snapshot: ${seconds(ms)}, bar ${seconds(BAR_MS)}: ${isMet ? 'met' : 'NOT MET'}`);
  if (!isMet) process.exitCode = 1;
} finally {
  await postgres.stop();
  await rm(dataDir, { force: true, recursive: true });
}
