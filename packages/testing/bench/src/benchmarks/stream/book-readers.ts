import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { BOOK_DEPTH } from '@paper/contracts/markets';
import { LiveOrderBook } from 'paper-trading-client';
import type { Api, BookLevel, OrderBookEvent } from 'paper-trading-client';
import { quantile } from '../../index.ts';
import { nowUs } from './messages.ts';

/** An order's answer: the market, the sequence of its decision, and the arrival time of the answer. */
export type AnsweredOrder = readonly [marketId: string, seq: number, atUs: number];

export type ReadersCommand =
  | { readonly do: 'connect'; readonly port: number; readonly readers: number; readonly marketIds: readonly string[] }
  | { readonly do: 'judge'; readonly orders: readonly AnsweredOrder[]; readonly books: readonly Api.OrderBook[] };

/** The results of all readers together. */
export interface Judged {
  readonly is: 'judged';
  /** Pairs of an order and a reader of its market. */
  readonly due: number;
  /** The events of these pairs that were missing, and the events that came more than once or out of order. */
  readonly gaps: number;
  readonly doubles: number;
  /** The number of readers whose book differs from the one of `GET`. */
  readonly otherBooks: number;
  /** Milliseconds from the answer to the event; 0 if the event came first. */
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export type ReadersReport = { readonly is: 'connected' } | Judged;

const CONNECTING = 200;
/** The time after the last answer within which an event must arrive. */
const LATE_MS = 10_000;

/** A client that follows a market's book by its stream. */
class Reader {
  /** The sequences that arrived since the last `judge`, with their times. */
  arrivals: { readonly atUs: number; readonly seq: number }[] = [];
  lastSeq = 0;
  #text = '';
  readonly #book = new LiveOrderBook();

  constructor(readonly marketId: string) {}

  take(chunk: Buffer): void {
    this.#text += chunk.toString('latin1');
    const end = this.#text.lastIndexOf('\n\n');
    if (end === -1) return;
    const atUs = nowUs();
    for (const block of this.#text.slice(0, end).split('\n\n')) this.#event(block, atUs);
    this.#text = this.#text.slice(end + 2);
  }

  shown(): string {
    return shownOf(this.#book);
  }

  #event(block: string, atUs: number): void {
    const type = /^event: (\w+)$/m.exec(block)?.[1];
    if (type === 'snapshot' || type === 'delta') {
      const data = JSON.parse(block.slice(block.indexOf('\ndata: ') + 7)) as object;
      this.#book.apply({ ...data, type, resumed: false } as OrderBookEvent);
    }
    const seq = Number(/^id: (\d+)$/m.exec(block)?.[1] ?? 0);
    if (seq === 0) return;
    this.arrivals.push({ atUs, seq });
    this.lastSeq = seq;
  }
}

/** The best levels, as many as an answer shows, each with its price and quantity. */
function shownOf({ asks, bids }: { readonly asks: readonly BookLevel[]; readonly bids: readonly BookLevel[] }): string {
  const shown = (levels: readonly BookLevel[]) =>
    levels.slice(0, BOOK_DEPTH).map(({ price, quantity }) => [price, quantity]);
  return JSON.stringify([shown(bids), shown(asks)]);
}

const report = (message: ReadersReport): void => void process.send?.(message);
const readers: Reader[] = [];

/** Opens the streams, and waits for the first event of each. */
async function connectAll(port: number, wanted: number, marketIds: readonly string[]): Promise<void> {
  const one = async (n: number): Promise<void> => {
    const reader = new Reader(marketIds[n % marketIds.length] ?? '');
    const socket: Socket = connect({ host: '127.0.0.1', port });
    socket.write(`GET /api/stream/orderbook/${reader.marketId} HTTP/1.1\r\nHost: bench\r\n\r\n`);
    let head = '';
    while (!head.includes('\r\n\r\n')) head += ((await once(socket, 'data')) as Buffer[])[0]?.toString('latin1') ?? '';
    if (!head.startsWith('HTTP/1.1 200 ')) throw new Error(`refused: ${head}`);
    reader.take(Buffer.from(head.slice(head.indexOf('\r\n\r\n') + 4), 'latin1'));
    socket.on('data', (chunk: Buffer) => reader.take(chunk));
    readers.push(reader);
  };
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < wanted) await one(next++);
  };
  await Promise.all(Array.from({ length: CONNECTING }, worker));
  while (readers.some(({ lastSeq }) => lastSeq === 0)) await new Promise((resolve) => setTimeout(resolve, 5));
  for (const reader of readers) reader.arrivals = [];
  report({ is: 'connected' });
}

/** Waits until every reader has the last order of its market, and compares each reader's events with the answers. */
async function judge(orders: readonly AnsweredOrder[], books: readonly Api.OrderBook[]): Promise<void> {
  const byMarket = new Map<string, Map<number, number>>();
  for (const [marketId, seq, atUs] of orders) {
    byMarket.set(marketId, (byMarket.get(marketId) ?? new Map<number, number>()).set(seq, atUs));
  }
  const last = new Map([...byMarket].map(([id, answers]) => [id, Math.max(...answers.keys())]));
  const untilMs = performance.now() + LATE_MS;
  while (performance.now() < untilMs && readers.some(({ lastSeq, marketId }) => lastSeq < (last.get(marketId) ?? 0))) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const shown = new Map(books.map(({ marketId, yes }) => [marketId, shownOf(yes)]));
  const latenciesMs: number[] = [];
  let [due, gaps, doubles, otherBooks] = [0, 0, 0, 0];
  for (const reader of readers) {
    const answers = byMarket.get(reader.marketId) ?? new Map<number, number>();
    const seen = new Set<number>();
    let before = 0;
    for (const { atUs, seq } of reader.arrivals) {
      if (seq <= before) doubles += 1;
      before = Math.max(before, seq);
      seen.add(seq);
      const answeredUs = answers.get(seq);
      if (answeredUs === undefined) throw new Error(`an event of ${reader.marketId} at ${seq}, where no order was`);
      latenciesMs.push(Math.max(0, atUs - answeredUs) / 1_000);
    }
    due += answers.size;
    for (const seq of answers.keys()) if (!seen.has(seq)) gaps += 1;
    if (reader.shown() !== shown.get(reader.marketId)) otherBooks += 1;
    reader.arrivals = [];
  }
  const [p50Ms, p99Ms] = [quantile(latenciesMs, 0.5), quantile(latenciesMs, 0.99)];
  report({ is: 'judged', due, gaps, doubles, otherBooks, p50Ms, p99Ms });
}

process.on('message', (command: ReadersCommand) => {
  if (command.do === 'connect') void connectAll(command.port, command.readers, command.marketIds);
  else void judge(command.orders, command.books);
});
process.on('disconnect', () => process.exit());
