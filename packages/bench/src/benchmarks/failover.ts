import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@paper/embedded-postgres';
import { openJournal } from '@paper/journal';
import {
  createContenders,
  eventStoreAt,
  judgeFailover,
  prepareFailover,
  startOrderLoad,
  testEventStore,
} from '@paper/testkit';

/**
 * Measures how long no order is decided after the leading command API was killed: from SIGKILL to the first order that
 * a standby acknowledges, under load, over ROUNDS rounds (default 50). Every order is compared with the journal. On a
 * Postgres that flushes, and with JOURNAL=eventstoredb on a real EventStoreDB.
 */
const ROUNDS = Number(process.env['ROUNDS'] ?? 50);
const CLIENTS = 16;
const TOKEN = 'operator-of-the-failover-benchmark';
const shard = 'failover';

const quantile = (sorted: readonly number[], q: number): string =>
  `${((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN) / 1_000).toFixed(2)} s`;

const onEventStore = process.env['JOURNAL'] === 'eventstoredb';
if (onEventStore && !eventStoreAt().toShare) throw new Error('there is no EventStoreDB: JOURNAL_URL, or eventstored');
const dataDir = await mkdtemp(join(tmpdir(), 'paper-bench-'));
const postgres = await startEmbeddedPostgres({ dataDir });
const databaseUrl = postgres.connectionString;
const eventStoreUrl = onEventStore ? await testEventStore() : undefined;
const contenders = createContenders({
  DATABASE_URL: databaseUrl,
  JOURNAL_URL: eventStoreUrl ?? '',
  OPERATOR_TOKENS: `bench:${TOKEN}`,
  RATE_LIMITS: 'off',
  SHARD: shard,
});
try {
  let leader = await contenders.start();
  await contenders.leader();
  const apiKeys = await prepareFailover(leader.url, TOKEN, { clients: CLIENTS, marketId: 'm' });
  const urls = (): string[] => contenders.all.map(({ url }) => url);
  const load = startOrderLoad({ apiKeys, marketId: 'm', name: shard, urls });
  const takeoversMs: number[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const standby = await contenders.start();
    await contenders.standsBy(standby);
    await load.acknowledgedBy(leader.url);
    const taken = load.acknowledgedBy(standby.url);
    const killedMs = performance.now();
    const killed = contenders.remove(leader);
    takeoversMs.push((await taken).atMs - killedMs);
    await killed;
    leader = standby;
    process.stderr.write(`round ${round} of ${ROUNDS}: ${takeoversMs.at(-1)?.toFixed(0)} ms\n`);
  }
  await load.stop();
  const journal = await openJournal({ databaseUrl, eventStoreUrl, shard });
  const verdict = await judgeFailover(journal, load);
  await journal.close();
  takeoversMs.sort((a, b) => a - b);
  console.log(`journal            ${onEventStore ? 'EventStoreDB' : 'Postgres'}, ${verdict.events} events`);
  console.log(`takeovers          ${takeoversMs.length}, epochs ${verdict.epochs.length}`);
  console.log(`from SIGKILL       p50 ${quantile(takeoversMs, 0.5)}, max ${quantile(takeoversMs, 1)}`);
  console.log(`orders answered    ${load.answered.size}`);
  console.log(`lost               ${verdict.lost.length}`);
  console.log(`duplicated         ${verdict.duplicated.length}`);
  console.log(`never sent         ${verdict.invented.length}`);
} finally {
  await contenders.stop();
  await postgres.stop();
  await rm(dataDir, { force: true, recursive: true });
}
// Exiting also ends a server that was started for the benchmark.
process.exit();
