import { parseArgs } from 'node:util';
import { createRandom } from '@paper/testkit';
import { startStandalone } from '@paper/testkit/exchange';
import { createClient } from 'paper-trading-client';
import type { Api } from 'paper-trading-client';
import {
  figure,
  httpRequest,
  milliseconds,
  mixedOrder,
  pacedLoop,
  printBar,
  printTable,
  quantile,
  Traders,
} from '../index.ts';
import type { AnsweredOrder, ReadersCommand, ReadersReport } from './stream/book-readers.ts';
import { nowUs } from './stream/messages.ts';
import { startProcess } from './stream/process.ts';

/**
 * Measures the book streams of the standalone: the time from an order's answer to its event at each reader of its
 * market, missing and doubled events, and whether each reader's book equals that of `GET`. Raises the rate from 150
 * orders a second until a bar is missed. The readers run in another process. `--seconds 5` is quicker.
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
/** The part of a rate's orders that must be answered for the rate to count. */
const ANSWERED = 0.97;

const random = createRandom(5_015);

/** Sends orders at this rate, and returns the answers of the orders that changed their book. */
async function trade(traders: Traders, rate: number) {
  const answered: AnsweredOrder[] = [];
  const tookMs: number[] = [];
  const load = { port: traders.port, clients: CONNECTIONS, ms: 1_000 * SECONDS, perSecond: rate };
  const { perSecond } = await pacedLoop(load, async (connection) => {
    const body = mixedOrder(random, traders.markets);
    const sentMs = performance.now();
    const answer = await connection.send(httpRequest('POST', '/api/orders', { key: random.pick(traders.keys), body }));
    const atUs = nowUs();
    tookMs.push(performance.now() - sentMs);
    const seq = Number(/\r\nx-journal-seq: (\d+)/i.exec(answer.head)?.[1]);
    if (answer.status !== 200) throw new Error(`POST /api/orders: ${answer.status} ${answer.text()}`);
    const { filledQty, status } = JSON.parse(answer.text()) as Pick<Api.Order, 'filledQty' | 'status'>;
    // A cancelled order without fills changed nothing: it could not rest, or met an order of its own account.
    if (status !== 'cancelled' || filledQty > 0) answered.push([body.marketId, seq, atUs]);
  });
  return { answered, p99Ms: quantile(tookMs, 0.99), perSecond };
}

const service = await startStandalone();
const readers = startProcess<ReadersCommand, ReadersReport>('book-readers.ts');
try {
  const traders = await Traders.open(service, { accounts: ACCOUNTS, markets: MARKETS });
  const { markets: marketIds, port } = traders;
  const client = createClient({ baseUrl: service.baseUrl });
  const connected = readers.report('connected');
  readers.send({ do: 'connect', marketIds, port, readers: READERS });
  await connected;

  const books = async (): Promise<readonly Api.OrderBook[]> => {
    await traders.waitUntilCaughtUp();
    return Promise.all(marketIds.map((id) => client.fetchOrderBook(id)));
  };
  const measure = async (rate: number) => {
    const { answered, p99Ms: answerMs, perSecond } = await trade(traders, rate);
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
  printBar('gaps, doubles and other books at any rate', faults, { atMost: 0 });
  printBar(`median at ${RATE} orders a second`, atBar.p50Ms, { atMost: P50_BAR_MS }, milliseconds);
  printBar(`p99 at ${RATE} orders a second`, atBar.p99Ms, { atMost: P99_BAR_MS }, milliseconds);
  console.log(`highest rate at which it holds: ${figure(highest)} orders a second`);
} finally {
  await readers.end();
  await service.stop();
}
