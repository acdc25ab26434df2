import { openJournal } from '@paper/journal';
import { prepareTrading } from '@paper/testkit/exchange';
import { createContenders, judgeFailover, startOrderLoad } from '@paper/testkit/failover';
import { eventStoreAt, testEventStore } from '@paper/testkit/servers';
import { figure, inTurns, printBar, quantile, seconds, startPostgres } from '../index.ts';

/**
 * Measures the time from SIGKILL of the leading command API to the first order that a standby acknowledges, under load,
 * in ROUNDS rounds (default 50), on a Postgres that flushes, or with JOURNAL=eventstoredb on a real EventStoreDB. Every
 * order is compared with the journal.
 */
const ROUNDS = Number(process.env['ROUNDS'] ?? 50);
const CLIENTS = 16;
/** A timer fires within this time, even if the leader is killed in that second (docs/trade/order-tools.md). */
const TAKEOVER_BAR_MS = 1_000;
const TOKEN = 'operator-of-the-failover-benchmark';
const shard = 'failover';

const onEventStore = process.env['JOURNAL'] === 'eventstoredb';
if (onEventStore && !eventStoreAt().toShare) throw new Error('there is no EventStoreDB: JOURNAL_URL, or eventstored');
const postgres = await startPostgres();
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
  const apiKeys = await prepareTrading(
    { baseUrl: leader.url, operatorToken: TOKEN },
    { accounts: CLIENTS, markets: ['m'] },
  );
  const urls = (): string[] => contenders.all.map(({ url }) => url);
  const load = startOrderLoad({ apiKeys, marketId: 'm', name: shard, urls });
  const [takeoversMs = []] = await inTurns(['takeover'], { rounds: ROUNDS }, async (_, round) => {
    const standby = await contenders.start();
    await contenders.standsBy(standby);
    await load.acknowledgedBy(leader.url);
    const taken = load.acknowledgedBy(standby.url);
    const killedMs = performance.now();
    const killed = contenders.remove(leader);
    const tookMs = (await taken).atMs - killedMs;
    await killed;
    leader = standby;
    console.error(`round ${round} of ${ROUNDS}: ${figure(tookMs)} ms`);
    return tookMs;
  });
  await load.stop();
  const journal = await openJournal({ databaseUrl, eventStoreUrl, shard });
  const verdict = await judgeFailover(journal, load);
  await journal.close();
  const [half, all] = [0.5, 1].map((at) => seconds(quantile(takeoversMs, at)));
  console.log(`journal: ${onEventStore ? 'EventStoreDB' : 'Postgres'}, ${figure(verdict.events)} events`);
  console.log(`takeovers: ${takeoversMs.length}, epochs ${verdict.epochs.length}`);
  console.log(`from SIGKILL: p50 ${half ?? ''}, max ${all ?? ''}`);
  console.log(`orders answered: ${figure(load.answered.size)}`);
  const slowestMs = Math.max(...takeoversMs);
  printBar('the slowest takeover, and so the latest timer', slowestMs, { atMost: TAKEOVER_BAR_MS }, seconds);
  printBar('lost', verdict.lost.length, { atMost: 0 });
  printBar('duplicated', verdict.duplicated.length, { atMost: 0 });
  printBar('never sent', verdict.invented.length, { atMost: 0 });
} finally {
  await contenders.stop();
  await postgres.stop();
}
// Exiting also ends a server that was started for the benchmark.
process.exit();
