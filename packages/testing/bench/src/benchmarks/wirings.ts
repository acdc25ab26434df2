import { judgeFailover } from '@paper/testkit/failover';
import { figure, inTurns, median, percent, printBar, printTable, quantile, times } from '../index.ts';
import { measureFreshness } from './wirings/freshness.ts';
import { startWirings } from './wirings/start.ts';
import type { StartedWirings } from './wirings/start.ts';

/**
 * Measures POST /api/orders on the three wirings in turns, each on servers that flush: the standalone, services on
 * Postgres, services on EventStoreDB; through the front door, and at the command API. Then it measures how soon an
 * order can be read, and compares every answer with the journals. Settings: ROUNDS (default 5) rounds of ROUND_MS
 * (default 2,000) with each of CONNECTIONS (default 1,16,64,256).
 */
const ROUNDS = Number(process.env['ROUNDS'] ?? 5);
const ROUND_MS = Number(process.env['ROUND_MS'] ?? 2_000);
const CONNECTIONS = (process.env['CONNECTIONS'] ?? '1,16,64,256').split(',').map(Number);
const PROCESSOR_AT = 64;
/** The wirings through the front door that are compared with each other. */
const [BY_POSTGRES, BY_EVENTSTORE] = ['services, Postgres', 'services, EventStoreDB'];
const SHARE_MIN = 0.6;
const P99_RATIO_MAX = 3;
const BESIDE = [0, 16];
const FRESHNESS_MS = 4 * ROUND_MS;

const ms = (value: number): string => figure(value, value < 10 ? 1 : 0);
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const wirings = await startWirings();
try {
  console.log(
    `100 accounts, 20 markets, every order with an Idempotency-Key; ${ROUNDS} rounds of ${ROUND_MS} ms in turns, after ` +
      `one to warm up; node ${process.version}\n`,
  );
  await compareOrders(wirings);
  await compareFreshness(wirings);
  await compareWithJournals(wirings);
} finally {
  await wirings.stop();
}
// Exiting also ends servers that were started for the benchmark.
process.exit();

async function compareOrders({ entrances, missing }: StartedWirings): Promise<void> {
  console.log('POST /api/orders: orders a second (median of the rounds), milliseconds to an answer (of all rounds),');
  console.log('and to the end of the projection after a round (median)\n');
  const row = printTable(['wiring'], ['connections', 'orders/s', 'p50 ms', 'p99 ms', 'projection ms']);
  const processor: (readonly [wiring: string, process: string, cpuUs: string])[] = [];
  const compared = new Map<string, { readonly perSecond: number; readonly p99Ms: number }>();
  for (const connections of CONNECTIONS) {
    const measured = await inTurns(entrances, { rounds: ROUNDS, warmUps: 1 }, ({ port, set }, round) => {
      console.error(`${connections} connections, round ${round} of ${ROUNDS}`);
      return set.measure(port, connections, ROUND_MS);
    });
    for (const [index, rounds] of measured.entries()) {
      const name = entrances[index]?.name ?? '';
      const latenciesMs = rounds.flatMap((round) => round.latenciesMs);
      const catchUpMs = median(rounds.map((round) => round.catchUpMs));
      const p99Ms = quantile(latenciesMs, 0.99);
      const perSecond = median(rounds.map((round) => round.perSecond));
      row(name, connections, figure(perSecond), ...[median(latenciesMs), p99Ms, catchUpMs].map(ms));
      if (connections !== PROCESSOR_AT) continue;
      compared.set(name, { p99Ms, perSecond });
      for (const process of rounds[0]?.processor.keys() ?? []) {
        const seconds = sum(rounds.map((round) => round.processor.get(process) ?? 0));
        processor.push([name, process, figure((1e6 * seconds) / latenciesMs.length)]);
      }
    }
  }
  for (const line of missing) row(line, '', '', '', '', '');
  printEventStoreBars(compared.get(BY_EVENTSTORE), compared.get(BY_POSTGRES));

  console.log(`\nProcessor time of our processes, projection and all, ${PROCESSOR_AT} connections\n`);
  const processorRow = printTable(['wiring', 'process'], ['µs an order']);
  for (const cells of processor) processorRow(...cells);
}

type Compared = { readonly perSecond: number; readonly p99Ms: number } | undefined;

/** The bars of the wiring with EventStoreDB, relative to Postgres in the same rounds. */
function printEventStoreBars(eventStore: Compared, postgres: Compared): void {
  if (eventStore === undefined || postgres === undefined) return;
  const share = eventStore.perSecond / postgres.perSecond;
  console.log('');
  printBar(
    `EventStoreDB's orders/s, ${PROCESSOR_AT} connections, of Postgres'`,
    share,
    { atLeast: SHARE_MIN },
    percent,
  );
  printBar(
    `EventStoreDB's p99, ${PROCESSOR_AT} connections, of Postgres'`,
    eventStore.p99Ms / postgres.p99Ms,
    { atMost: P99_RATIO_MAX },
    times,
  );
}

async function compareFreshness({ sets }: StartedWirings): Promise<void> {
  console.log('\nFrom an answer until it is seen, milliseconds (p50 / p99)\n');
  const row = printTable(['wiring'], ['connections beside', 'portfolio', 'account stream', 'pulse']);
  for (const beside of BESIDE) {
    for (const [name, set] of sets) {
      const { portfolioMs, accountStreamMs, pulseMs } = await measureFreshness(set, beside, FRESHNESS_MS);
      const seen = [portfolioMs, accountStreamMs, pulseMs].map((times) =>
        [0.5, 0.99].map((at) => ms(quantile(times, at))).join(' / '),
      );
      row(name, beside, ...seen);
    }
  }
}

async function compareWithJournals({ sets }: StartedWirings): Promise<void> {
  console.log('\nEvery order held against the journal, whose chain of hashes was checked\n');
  const row = printTable(['wiring'], ['orders answered', 'events', 'lost', 'duplicated', 'never sent']);
  let wrong = 0;
  for (const [name, set] of sets) {
    const journal = await set.exchange.openJournal();
    const { duplicated, events, invented, lost } = await judgeFailover(journal, set);
    await journal.close();
    wrong += lost.length + duplicated.length + invented.length;
    const counts = [set.answered.size, events, lost.length, duplicated.length, invented.length];
    row(name, ...counts.map((count) => figure(count)));
  }
  console.log('');
  printBar('lost, duplicated or never sent', wrong, { atMost: 0 });
}
