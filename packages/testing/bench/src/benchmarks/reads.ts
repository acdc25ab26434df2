import path from 'node:path';
import { createClient } from 'paper-trading-client';
import { createRandom } from '@paper/testkit';
import { startStandalone, temporaryDataDir } from '@paper/testkit/exchange';
import type { RunningStandalone } from '@paper/testkit/exchange';
import { createCheckedClient, operatorClient } from '@paper/testkit/http';
import {
  closedLoop,
  figure,
  httpRequest,
  inTurns,
  median,
  pacedLoop,
  percent,
  printTable,
  startPeer,
  verdict,
} from '../index.ts';
import type { Peer } from '../index.ts';
import type { BareAnswer } from './reads/bare-express.ts';

/** Measures reads a second of the whole service beside a bare Express that sends the same bytes, in turns. */
const SEED = 406;
const MARKETS = 50;
const ORDERS = 400;
const ROUNDS = 5;
const ROUND_MS = 1_000;
const CLIENTS = 32;
/** The number of concurrent orders a second, each cancelled at once; below, of their clients. */
const ORDERS_BESIDE = 200;
const TRADERS = 16;
const BAR = 2.5;

interface Read {
  readonly name: string;
  readonly path: string;
  readonly key?: string;
  readonly beside?: true;
}

/** Lists markets, opens an account with orders on both sides of each book and one without, and returns their keys. */
async function fill({ baseUrl, operatorToken }: RunningStandalone) {
  const operator = operatorClient(await createCheckedClient(baseUrl), operatorToken);
  const random = createRandom(SEED);
  for (let n = 0; n < MARKETS; n += 1) {
    await operator.list(`bench-${n}`, { title: `Is the service number ${n} fast enough for those who read it?` });
  }
  const { key } = await operator.open('bench');
  const client = createClient({ baseUrl, key });
  for (let n = 0; n < ORDERS; n += 1) {
    const body = {
      marketId: n % 2 === 0 ? 'bench-0' : `bench-${random.int(1, MARKETS - 1)}`,
      outcome: random.pick(['yes', 'no'] as const),
      price: random.int(10, 49) / 100,
      quantity: random.int(1, 10),
    };
    (await client.request('placeOrder', { body })).assertOk();
  }
  return { key, other: (await operator.open('other')).key };
}

/** Places and cancels orders in the market that is read; the returned function ends that and returns the rate. */
function trade(port: number, key: string): () => Promise<number> {
  const stopping = new AbortController();
  const body = { marketId: 'bench-0', outcome: 'yes', price: 0.01, quantity: 1 };
  const place = httpRequest('POST', '/api/orders', { key, body });
  const load = { port, clients: TRADERS, ms: Infinity, perSecond: ORDERS_BESIDE, signal: stopping.signal };
  const running = pacedLoop(load, async (connection) => {
    const { id } = JSON.parse((await connection.send(place)).text()) as { readonly id: string };
    const { status, text } = await connection.send(httpRequest('DELETE', `/api/orders/${id}`, { key }));
    if (status !== 200) throw new Error(`DELETE /api/orders/${id}: ${status} ${text()}`);
  });
  return async () => {
    stopping.abort();
    return (await running).perSecond;
  };
}

async function measureRate(port: number, { path, key }: Read): Promise<number> {
  const request = Buffer.from(httpRequest('GET', path, key === undefined ? {} : { key }));
  const { perSecond } = await closedLoop({ port, clients: CLIENTS, ms: ROUND_MS }, async (connection) => {
    const answer = await connection.send(request);
    if (answer.status !== 200) throw new Error(answer.head);
  });
  return perSecond;
}

const folder = temporaryDataDir();
const service = await startStandalone({ dataDir: folder.dataDir });
let bare: Peer | null = null;
try {
  const { key, other } = await fill(service);
  const quiet: readonly Read[] = [
    { name: 'markets', path: '/api/markets' },
    { name: 'market', path: '/api/markets/bench-0' },
    { name: 'order book', path: '/api/orderbook/bench-0' },
    { name: 'leaderboard', path: '/api/leaderboard' },
    { name: 'portfolio (key)', path: '/api/portfolio', key },
  ];
  const reads: readonly Read[] = [
    ...quiet,
    ...quiet.map((read) => ({ ...read, name: `${read.name}, orders beside`, beside: true as const })),
  ];
  const answers: BareAnswer[] = [];
  for (const read of reads) {
    const answer = await fetch(`${service.baseUrl}${read.path}`, {
      headers: read.key === undefined ? {} : { authorization: `Bearer ${read.key}` },
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const contentType = answer.headers.get('content-type') ?? '';
    answers.push({ path: read.path, contentType, bytes: bytes.toString('base64') });
  }
  bare = await startPeer(path.join(import.meta.dirname, 'reads/bare-express.ts'), answers);
  const { port: barePort } = bare;
  const ownPort = Number(new URL(service.baseUrl).port);
  console.log(
    `${MARKETS} markets, ${ORDERS} orders, seed ${SEED}; ${CLIENTS} clients on kept connections, ${ROUNDS} rounds of ` +
      `${ROUND_MS} ms in turns; beside: ${ORDERS_BESIDE} orders a second of another account in the market that is read, as ` +
      `far as the service takes them, each cancelled; node ${process.version}\n`,
  );
  const row = printTable(['read'], ['bytes', 'service, a second', 'bare Express, a second', 'ratio, median', 'bar']);
  const beside: number[] = [];
  for (const [index, read] of reads.entries()) {
    const stopTrading = read.beside ? trade(ownPort, other) : null;
    const rates = await inTurns([ownPort, barePort], { rounds: ROUNDS, warmUps: 1 }, (port) => measureRate(port, read));
    if (stopTrading !== null) beside.push(await stopTrading());
    const [own = [], bare = []] = rates;
    const ratio = median(own.map((rate, round) => rate / (bare[round] ?? NaN)));
    // Bare Express does not look keys up, so reads with a key have no required ratio.
    const met = read.key !== undefined ? 'none' : verdict(ratio, { atLeast: BAR });
    const bytes = Buffer.from(answers[index]?.bytes ?? '', 'base64').length;
    row(read.name, figure(bytes), figure(median(own)), figure(median(bare)), percent(ratio), met);
  }
  console.log(`\nOrders a second beside, by read: ${beside.map((rate) => figure(rate)).join(', ')}.`);
} finally {
  bare?.stop();
  await service.stop();
  folder.remove();
}
