import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { OrderBody, OrderBookBody } from '@paper/contracts';
import { createRandom } from '@paper/testkit';
import { startStandalone } from '@paper/testkit/exchange';
import { createCheckedClient, operatorClient } from '@paper/testkit/http';
import { figure, KeptConnection, printBar, printTable, quantile } from '../index.ts';
import type { AnsweredOrder, Judged, ReadersCommand, ReadersReport } from './stream/book-readers.ts';
import { nowUs } from './stream/messages.ts';
import { startProcess } from './stream/process.ts';

/**
 * Measures the book streams of the standalone: the time from the answer to an order until its event has arrived at each
 * reader of its market, whether one was missing or came twice, and whether each reader's book is the one of `GET`. First
 * at 150 orders a second in all, then at more until it no longer holds. The readers are a process of their own;
 * `--seconds 5` is quicker.
 */
const { values } = parseArgs({
  options: { readers: { type: 'string', default: '2000' }, seconds: { type: 'string', default: '20' } },
});
const READERS = Number(values.readers);
const SECONDS = Number(values.seconds);
const MARKETS = 50;
const ACCOUNTS = 100;
const CONNECTIONS = 32;
const RATE = 150;
const FURTHER_RATES = [300, 450, 600, 800, 1_000, 1_250, 1_500, 2_000];
const P50_BAR_MS = 50;
const P99_BAR_MS = 250;
/** The part of a rate that has to be answered for the rate to count. */
const ANSWERED = 0.97;

const marketIds = Array.from({ length: MARKETS }, (_, n) => `bench-${n}`);
const random = createRandom(5_015);

/** Sends orders at their times, and gives the answers of those that changed their book. */
async function trade(
  connections: readonly KeptConnection[],
  keys: readonly string[],
  rate: number,
): Promise<{ readonly answered: readonly AnsweredOrder[]; readonly p99Ms: number; readonly perSecond: number }> {
  const answered: AnsweredOrder[] = [];
  const tookMs: number[] = [];
  const begunMs = performance.now();
  const wanted = rate * SECONDS;
  await Promise.all(
    connections.map(async (connection, first) => {
      for (let n = first; n < wanted; n += connections.length) {
        await sleep(Math.max(0, begunMs + (1_000 * n) / rate - performance.now()));
        const marketId = random.pick(marketIds);
        const sentMs = performance.now();
        const answer = await connection.ask(orderRequest(random.pick(keys), marketId));
        const atUs = nowUs();
        tookMs.push(performance.now() - sentMs);
        const seq = Number(/\r\nx-journal-seq: (\d+)/i.exec(answer.head)?.[1]);
        if (answer.status !== 200) throw new Error(`POST /api/orders: ${answer.status} ${answer.text()}`);
        const { filledQty, status } = JSON.parse(answer.text()) as Pick<OrderBody, 'filledQty' | 'status'>;
        // One that an order of its own account stopped at once has changed nothing.
        if (status !== 'cancelled' || filledQty > 0) answered.push([marketId, seq, atUs]);
      }
    }),
  );
  const perSecond = (1_000 * wanted) / (performance.now() - begunMs);
  return { answered, p99Ms: quantile(tookMs, 0.99), perSecond };
}

/** Half of the orders meet one that rests. */
function orderRequest(key: string, marketId: string): string {
  const body = JSON.stringify({
    marketId,
    orderType: 'limit',
    outcome: random.chance(0.5) ? 'yes' : 'no',
    price: random.int(40, 60) / 100,
    quantity: random.int(1, 10),
    side: 'buy',
  });
  const head = `POST /api/orders HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\n`;
  return `${head}content-length: ${body.length}\r\n\r\n${body}`;
}

const service = await startStandalone();
const readers = startProcess<ReadersCommand, ReadersReport>('book-readers.ts');
try {
  const port = Number(new URL(service.baseUrl).port);
  const client = await createCheckedClient(service.baseUrl);
  const desk = operatorClient(client, service.operatorToken);
  for (const id of marketIds) await desk.list(id);
  const keys: string[] = [];
  for (let n = 0; n < ACCOUNTS; n += 1) {
    keys.push((await desk.open(`trader ${n}`, { startingBalance: 10_000_000 })).key);
  }
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => KeptConnection.open(port)));
  const connected = readers.report('connected');
  readers.send({ do: 'connect', marketIds, port, readers: READERS });
  await connected;

  const books = async (): Promise<OrderBookBody[]> => {
    // A read with a key waits until the projection has every order.
    await client.ok('GET', '/api/portfolio', { key: keys[0] ?? '' });
    return Promise.all(marketIds.map((id) => client.ok<OrderBookBody>('GET', `/api/orderbook/${id}`)));
  };
  const measure = async (rate: number): Promise<Judged & { readonly answerMs: number; readonly perSecond: number }> => {
    const { answered, p99Ms: answerMs, perSecond } = await trade(connections, keys, rate);
    const judged = readers.report('judged');
    readers.send({ do: 'judge', books: await books(), orders: answered });
    return { ...(await judged), answerMs, perSecond };
  };

  console.log(
    `${figure(READERS)} readers of ${MARKETS} markets, ${SECONDS} s at each rate; ms from the answer to the event; ` +
      `node ${process.version}\n`,
  );
  const row = printTable(
    ['orders a second'],
    ['answered', 'answer p99 ms', 'events due', 'gaps', 'doubles', 'other books', 'p50 ms', 'p99 ms'],
  );
  const show = (rate: number, of: Awaited<ReturnType<typeof measure>>): void =>
    row(
      figure(rate),
      figure(of.perSecond),
      figure(of.answerMs, 1),
      figure(of.due),
      of.gaps,
      of.doubles,
      of.otherBooks,
      figure(of.p50Ms, 1),
      figure(of.p99Ms, 1),
    );
  const atBar = await measure(RATE);
  show(RATE, atBar);
  let highest = RATE;
  let faults = atBar.gaps + atBar.doubles + atBar.otherBooks;
  for (const rate of FURTHER_RATES) {
    const measured = await measure(rate);
    show(rate, measured);
    const { doubles, gaps, otherBooks, p50Ms, p99Ms, perSecond } = measured;
    faults += gaps + doubles + otherBooks;
    if (faults > 0 || p50Ms > P50_BAR_MS || p99Ms > P99_BAR_MS || perSecond < ANSWERED * rate) break;
    highest = rate;
  }
  console.log('');
  const ms = (value: number): string => `${figure(value, 1)} ms`;
  printBar({ name: 'gaps, doubles and other books at any rate', value: faults, atMost: 0 });
  printBar({ name: `median at ${RATE} orders a second`, value: atBar.p50Ms, atMost: P50_BAR_MS, show: ms });
  printBar({ name: `p99 at ${RATE} orders a second`, value: atBar.p99Ms, atMost: P99_BAR_MS, show: ms });
  console.log(`highest rate at which it holds: ${figure(highest)} orders a second`);
  for (const connection of connections) connection.close();
} finally {
  await readers.end();
  await service.stop();
}
