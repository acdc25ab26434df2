import { openJournal } from '@paper/journal';
import { startStandalone } from '@paper/testkit/exchange';
import type { RunningStandalone } from '@paper/testkit/exchange';
import {
  closedLoop,
  figure,
  httpRequest,
  inTurns,
  median,
  percent,
  printBar,
  printTable,
  processorTimeMs,
  quantile,
  startPostgres,
  Traders,
} from '../index.ts';
import type { HttpConnection } from '../index.ts';
import { commandRound } from './commands/round.ts';

/**
 * Compares batches of 50 orders over 4 connections with single orders over 64, in turns, over HTTP to one standalone;
 * then runs `bench commands` on Postgres. The processor time is of the service with its Postgres, projection and all.
 */
const ROUNDS = 3;
const SECONDS = 8;
const BATCH = 50;
const PROCESSOR_BAR = 0.35;
const RATE_BAR = 0.7;
const LAG_BAR = 10_000;

interface Way {
  readonly name: string;
  readonly connections: number;
  readonly ordersPerRequest: number;
}

const SINGLES: Way = { connections: 64, name: 'single orders', ordersPerRequest: 1 };
const BATCHES: Way = { connections: 4, name: `batches of ${BATCH}`, ordersPerRequest: BATCH };

const service = await startStandalone();
const postgres = await startPostgres();
try {
  const traders = await Traders.open(service, { accounts: 64, markets: 8 });
  const requestOf = ({ ordersPerRequest }: Way, n: number): string => {
    if (ordersPerRequest === 1) return traders.crossingRequest(n);
    const orders = Array.from({ length: ordersPerRequest }, () => traders.crossingOrder(n));
    return httpRequest('POST', '/api/orders/batch', { key: traders.key(n), body: { orders } });
  };
  const send = async (way: Way, connection: HttpConnection, n: number): Promise<void> => {
    const { status, text } = await connection.send(requestOf(way, n));
    if (status !== 200 || text().includes('"ok":false')) {
      throw new Error(`${way.name}: ${status} ${text().slice(0, 300)}`);
    }
  };

  const measure = async (way: Way) => {
    const beganMs = processorTimeMs(service.pid);
    const load = await closedLoop(
      { clients: way.connections, ms: SECONDS * 1_000, port: traders.port },
      (connection, n) => send(way, connection, n),
    );
    const lag = await lagEvents(service);
    await traders.waitUntilCaughtUp();
    const orders = (load.latenciesMs.length + way.connections) * way.ordersPerRequest;
    return {
      lagEvents: lag,
      ordersPerSecond: load.perSecond * way.ordersPerRequest,
      p99Ms: quantile(load.latenciesMs, 0.99),
      processorUs: (1_000 * (processorTimeMs(service.pid) - beganMs)) / orders,
    };
  };

  const [singles = [], batches = []] = await inTurns([SINGLES, BATCHES], { rounds: ROUNDS, warmUps: 1 }, measure);
  const journal = await openJournal({ databaseUrl: postgres.connectionString, shard: `bench-${process.pid}` });
  const bare = (await commandRound(journal, 64)).ordersPerSecond;
  await journal.close();

  const row = printTable(['orders'], ['orders/s', 'processor an order µs', 'p99 of a request ms', 'events behind']);
  for (const [way, rounds] of [
    [SINGLES, singles],
    [BATCHES, batches],
  ] as const) {
    for (const { lagEvents, ordersPerSecond, p99Ms, processorUs } of rounds) {
      row(way.name, figure(ordersPerSecond), figure(processorUs), figure(p99Ms, 1), figure(lagEvents));
    }
  }
  row('bench commands, Postgres, 64 clients', figure(bare), '', '', '');
  const of = (rounds: typeof singles, what: keyof (typeof singles)[number]): number =>
    median(rounds.map((round) => round[what]));
  console.log('');
  printBar(
    'processor an order of a batch, of that of a single order',
    of(batches, 'processorUs') / of(singles, 'processorUs'),
    { atMost: PROCESSOR_BAR },
    percent,
  );
  printBar(
    'orders/s in batches, of those of `bench commands`',
    of(batches, 'ordersPerSecond') / bare,
    { atLeast: RATE_BAR },
    percent,
  );
  printBar('events behind at the end', Math.max(...batches.map(({ lagEvents }) => lagEvents)), { atMost: LAG_BAR });
} finally {
  await postgres.stop();
  await service.stop();
}

async function lagEvents({ baseUrl, operatorToken }: RunningStandalone): Promise<number> {
  const headers = { authorization: `Bearer ${operatorToken}` };
  const answer = await fetch(`${baseUrl}/api/operator/status`, { headers });
  const { projections } = (await answer.json()) as { readonly projections: readonly { readonly lagEvents: number }[] };
  return Math.max(...projections.map((projection) => projection.lagEvents));
}
