import path from 'node:path';
import { parseArgs } from 'node:util';
import { runningPostgres } from '@paper/embedded-postgres';
import { withClient } from '@paper/runtime';
import { startStandalone } from '@paper/testkit/exchange';
import {
  closedLoop,
  figure,
  httpRequest,
  inTurns,
  HttpConnection,
  median,
  milliseconds,
  percent,
  printBar,
  printTable,
  processorTimeMs,
  quantile,
  startPeer,
  times,
  Traders,
} from '../index.ts';
import type { Peer } from '../index.ts';
import type { PeerSettings } from './orders/floor.ts';

/**
 * Measures POST /api/orders on the standalone beside two peers in turns: a bare Express with zod that stores nothing,
 * and a floor of node:http, zod and one durable INSERT into the same Postgres; then how soon a portfolio shows an
 * order. The processor time is of a program and of Postgres, until the projection has caught up. `--only orders` or
 * `portfolio` runs one part.
 */
const { values } = parseArgs({ options: { only: { type: 'string' } } });
const ROUNDS = Number(process.env['ROUNDS'] ?? 5);
const SECONDS = Number(process.env['SECONDS'] ?? 4);
const MANY = 64;
const BESIDE = 16;

const service = await startStandalone();
const traders = await Traders.open(service, { accounts: 64, markets: 8 });
const { port } = traders;

async function send(connection: HttpConnection, n: number): Promise<string> {
  const { status, text } = await connection.send(traders.crossingRequest(n));
  if (status !== 200) throw new Error(`POST /api/orders: ${status} ${text()}`);
  return text();
}

/** The answer to an order, which the peers send too, and a text as long as what the journal stores for one order. */
async function sampleOrder(databaseUrl: string) {
  return withClient({ connectionString: databaseUrl }, async (database) => {
    const head = await database.query<{ seq: string }>('select seq from journal.head');
    const connection = await HttpConnection.open(port);
    const answer = await send(connection, 0);
    await send(connection, 1);
    connection.close();
    const { rows } = await database.query<{ text: string }>(
      `select string_agg(concat(id, type, public_text, private_text, hash), '') as text from journal.events where seq > $1`,
      [head.rows[0]?.seq],
    );
    // The events of two orders that fill each other.
    const both = rows[0]?.text ?? '';
    return { answer, stored: both.slice(0, both.length / 2) };
  });
}

interface Way {
  readonly name: string;
  readonly port: number;
  /** The peer's process; null: the service. Postgres counts as a process of the service in both cases. */
  readonly peer: Peer | null;
}

type Measured = Awaited<ReturnType<typeof measure>>;

async function measure(way: Way, connections: number) {
  const processor = (): number =>
    processorTimeMs(service.pid) + (way.peer === null ? 0 : processorTimeMs(way.peer.pid));
  const begunMs = processor();
  const load = await closedLoop({ clients: connections, ms: 1_000 * SECONDS, port: way.port }, send);
  await traders.waitUntilCaughtUp();
  const { latenciesMs, perSecond } = load;
  const processorUs = (1_000 * (processor() - begunMs)) / (latenciesMs.length + connections);
  return { p50Ms: median(latenciesMs), p99Ms: quantile(latenciesMs, 0.99), perSecond, processorUs };
}

const unfilled = httpRequest('POST', '/api/orders', { key: traders.key(0), body: traders.unfilledOrder() });

function freshness(beside: number): Promise<readonly number[]> {
  const place = async (connection: HttpConnection): Promise<string> =>
    (JSON.parse((await connection.send(unfilled)).text()) as { readonly id: string }).id;
  return traders.portfolioDelays({ ms: 1_000 * SECONDS * 2, beside }, place, send);
}

async function compareOrders(): Promise<void> {
  const databaseUrl = runningPostgres(service.dataDir) ?? '';
  const settings: PeerSettings = { ...(await sampleOrder(databaseUrl)), databaseUrl };
  const programs = path.join(import.meta.dirname, 'orders');
  const express = await startPeer(path.join(programs, 'bare-express.ts'), settings);
  const floor = await startPeer(path.join(programs, 'floor.ts'), settings);
  const ways: readonly Way[] = [
    { name: 'service', peer: null, port },
    { name: 'bare Express', peer: express, port: express.port },
    { name: 'floor', peer: floor, port: floor.port },
  ];
  try {
    await compareWays(ways);
  } finally {
    express.stop();
    floor.stop();
  }
}

async function compareWays(ways: readonly Way[]): Promise<void> {
  console.log(`${ROUNDS} rounds of ${SECONDS} s in turns, after one to warm up; node ${process.version}\n`);
  const row = printTable(['program'], ['connections', 'orders/s', 'p50 ms', 'p99 ms', 'processor an order µs']);
  const results = new Map<number, readonly (readonly Measured[])[]>();
  for (const connections of [MANY, 1]) {
    const measured = await inTurns(ways, { rounds: ROUNDS, warmUps: 1 }, (way) => measure(way, connections));
    results.set(connections, measured);
    for (const [index, rounds] of measured.entries()) {
      const of = (what: keyof Measured): number => median(rounds.map((round) => round[what]));
      const times = [of('p50Ms'), of('p99Ms')].map((time) => figure(time, 1));
      row(ways[index]?.name ?? '', connections, figure(of('perSecond')), ...times, figure(of('processorUs')));
    }
  }
  const ratio = (connections: number, peer: 1 | 2, what: keyof Measured): number => {
    const [own = [], , ,] = results.get(connections) ?? [];
    const other = results.get(connections)?.[peer] ?? [];
    return median(own.map((round, index) => round[what] / (other[index]?.[what] ?? NaN)));
  };
  console.log('');
  printBar(`orders/s, ${MANY} connections, of bare Express`, ratio(MANY, 1, 'perSecond'), { atLeast: 0.8 }, percent);
  printBar(`orders/s, ${MANY} connections, of the floor`, ratio(MANY, 2, 'perSecond'), { atLeast: 0.7 }, percent);
  printBar('orders/s, 1 connection, of the floor', ratio(1, 2, 'perSecond'), { atLeast: 0.6 }, percent);
  printBar('p50, 1 connection, of the floor', ratio(1, 2, 'p50Ms'), { atMost: 1.5 }, times);
  printBar('processor an order, 1 connection, of the floor', ratio(1, 2, 'processorUs'), { atMost: 2 }, times);
}

async function comparePortfolio(): Promise<void> {
  // Fills the lists of the portfolio, whose length determines what it costs.
  await closedLoop({ clients: MANY, ms: 1_000 * SECONDS, port }, send);
  await traders.waitUntilCaughtUp();
  const alone = await freshness(0);
  const beside = await freshness(BESIDE);
  printBar('portfolio with the order after its answer, p50', median(alone), { atMost: 3 }, milliseconds);
  printBar('the same, p99', quantile(alone, 0.99), { atMost: 20 }, milliseconds);
  printBar(`the same beside ${BESIDE} busy connections, p99`, quantile(beside, 0.99), { atMost: 60 }, milliseconds);
}

const parts: Readonly<Record<string, () => Promise<void>>> = { orders: compareOrders, portfolio: comparePortfolio };
try {
  if (values.only !== undefined && !Object.hasOwn(parts, values.only)) {
    throw new Error(`--only must be one of ${Object.keys(parts).join(', ')}`);
  }
  for (const [name, run] of Object.entries(parts)) if (values.only === undefined || values.only === name) await run();
} finally {
  await service.stop();
}
