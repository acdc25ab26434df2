import { get } from 'node:http';
import { parseArgs } from 'node:util';
import { startServices, startStandalone } from '@paper/testkit/exchange';
import {
  figure,
  HttpConnection,
  httpRequest,
  milliseconds,
  printBar,
  printTable,
  quantile,
  Traders,
} from '../index.ts';

/**
 * Measures when each party learns of a fill: the maker by the account's stream, readers of the book, and the taker by
 * the answer. Each order fills a part of a resting one. `--wiring services` measures the services on Postgres.
 */
const { values } = parseArgs({
  options: { fills: { type: 'string', default: '1000' }, wiring: { type: 'string', default: 'standalone' } },
});
const FILLS = Number(values.fills);
/** How much later than the readers of the book a maker may learn of a fill. */
const LATER_BAR_MS = 1;
/** The shares of a maker's order: the largest allowed number. */
const SHARES = 500;

/** Reads a stream, and records when each sequence that `found` matches first arrived. */
async function arrivals(url: string, key: string, found: RegExp): Promise<ReadonlyMap<number, number>> {
  const arrived = new Map<number, number>();
  await new Promise<void>((resolve, reject) => {
    const request = get(url, { headers: { authorization: `Bearer ${key}` } }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${url}: ${answer.statusCode}`));
      let text = '';
      answer.on('data', (chunk: Buffer) => {
        const nowMs = performance.now();
        text += chunk.toString();
        const end = text.lastIndexOf('\n\n') + 2;
        for (const [, seq] of text.slice(0, end).matchAll(found)) {
          if (!arrived.has(Number(seq))) arrived.set(Number(seq), nowMs);
        }
        text = text.slice(end);
        resolve();
      });
    });
    request.on('error', reject);
  });
  return arrived;
}

const service = values.wiring === 'services' ? await startServices({ journal: 'postgres' }) : await startStandalone();
try {
  const traders = await Traders.open(service, { accounts: 2, markets: 1 });
  const { baseUrl } = service;
  const [marketId = ''] = traders.markets;
  const connection = await HttpConnection.open(traders.port);
  const place = async (key: string, order: object): Promise<{ readonly seq: number; readonly atMs: number }> => {
    const body = { marketId, price: 0.5, ...order };
    const { head, status } = await connection.send(httpRequest('POST', '/api/orders', { key, body }));
    if (status !== 200) throw new Error(`POST /api/orders: ${status}`);
    return { atMs: performance.now(), seq: Number(/\r\nx-journal-seq: (\d+)/i.exec(head)?.[1]) };
  };
  for (let shares = 0; shares < FILLS; shares += SHARES) {
    await place(traders.key(0), { outcome: 'yes', quantity: SHARES });
  }
  const maker = await arrivals(`${baseUrl}/api/stream/account`, traders.key(0), /"type":"fill","seq":(\d+)/g);
  const book = await arrivals(
    `${baseUrl}/api/stream/orderbook/${marketId}`,
    traders.key(0),
    /^event: trade\n(?:id: \d+\n)?data: .*?"seq":(\d+)/gm,
  );
  await traders.waitUntilCaughtUp();
  const answered = new Map<number, number>();
  for (let fill = 0; fill < FILLS; fill += 1) {
    const { atMs, seq } = await place(traders.key(1), { outcome: 'no', quantity: 1, timeInForce: 'IOC' });
    answered.set(seq, atMs);
    while (!maker.has(seq) || !book.has(seq)) await new Promise((resolve) => setImmediate(resolve));
  }
  connection.close();
  const delays = (of: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>): number[] =>
    [...answered.keys()].map((seq) => (of.get(seq) ?? Infinity) - (after.get(seq) ?? 0));
  const later = delays(maker, book);
  console.log(`${figure(FILLS)} fills one after the other, ${values.wiring}; ms; node ${process.version}\n`);
  const row = printTable(['arrival'], ['p50', 'p99', 'most']);
  const show = (what: string, ms: readonly number[]): void =>
    row(what, ...[0.5, 0.99, 1].map((part) => figure(quantile(ms, part), 2)));
  show("maker's stream after the book's", later);
  show("maker's stream after the taker's answer", delays(maker, answered));
  show("book's stream after the taker's answer", delays(book, answered));
  console.log('');
  printBar("maker's stream after the book's, p99", quantile(later, 0.99), { atMost: LATER_BAR_MS }, milliseconds);
} finally {
  await service.stop();
}
