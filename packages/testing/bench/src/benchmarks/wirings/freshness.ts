import { setTimeout as sleep } from 'node:timers/promises';
import { eventBlocks } from '@paper/testkit/http';
import { KeptConnection } from '../../index.ts';
import { marketId, orderRequest } from './exchange-set.ts';
import type { ExchangeSet } from './exchange-set.ts';

/** The delays from the answer to an order until the order can be read. */
export interface Freshness {
  /** Milliseconds until a portfolio, requested at once, has arrived with the order in it. */
  readonly portfolioMs: number[];
  /** Milliseconds until the account's stream has sent the order. */
  readonly accountStreamMs: number[];
  /** Milliseconds until a pulse has the order's sequence. Pulses come every two seconds. */
  readonly pulseMs: number[];
}

const PAUSE_MS = 20;

/** Places orders one after the other for `ms`, while `beside` other connections place orders too. */
export async function measureFreshness(set: ExchangeSet, beside: number, ms: number): Promise<Freshness> {
  const { baseUrl } = set.exchange;
  const port = Number(new URL(baseUrl).port);
  const headers = { authorization: `Bearer ${set.anyKey}` };
  const own = await Stream.open(`${baseUrl}/api/stream/account`, headers);
  const pulse = await Stream.open(`${baseUrl}/api/stream?marketId=${marketId(0)}`, headers);
  const portfolioMs: number[] = [];
  const untilMs = performance.now() + ms;
  const others = Array.from({ length: beside }, async () => {
    const connection = await KeptConnection.open(port);
    while (performance.now() < untilMs) await set.order(connection);
    connection.close();
  });
  const connection = await KeptConnection.open(port);
  // Finds no counterpart and ends at once, so that the account's orders do not accumulate.
  const order = { marketId: marketId(0), outcome: 'yes', price: 0.01, quantity: 1, timeInForce: 'IOC' };
  while (performance.now() < untilMs) {
    const key = `order-${set.sent.size}`;
    set.sent.add(key);
    const sentMs = performance.now();
    const answer = await connection.ask(orderRequest(set.anyKey, key, order));
    const atMs = performance.now();
    const { id } = JSON.parse(answer.text()) as { readonly id: string };
    set.answered.set(key, { atMs, by: '', orderId: id, status: answer.status, waitedMs: atMs - sentMs });
    const seq = Number(/\r\nx-journal-seq: (\d+)/i.exec(answer.head)?.[1]);
    for (const stream of [own, pulse]) stream.waiting.push({ seq, atMs });
    const portfolio = await fetch(`${baseUrl}/api/portfolio`, { headers });
    const text = await portfolio.text();
    portfolioMs.push(performance.now() - atMs);
    if (!text.includes(id)) throw new Error(`GET /api/portfolio: ${portfolio.status}, without order ${id}`);
    await sleep(PAUSE_MS);
  }
  await Promise.all(others);
  connection.close();
  return { accountStreamMs: await own.end(), portfolioMs, pulseMs: await pulse.end() };
}

/** The events of a stream, compared with the expected ones. */
class Stream {
  readonly waiting: { readonly seq: number; readonly atMs: number }[] = [];
  readonly #tookMs: number[] = [];
  #ending = false;

  private constructor(private readonly blocks: ReturnType<typeof eventBlocks>) {}

  static async open(url: string, headers: Readonly<Record<string, string>>): Promise<Stream> {
    const answer = await fetch(url, { headers });
    if (answer.status !== 200) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
    const stream = new Stream(eventBlocks(answer));
    stream.#done = stream.#read();
    return stream;
  }

  #done: Promise<void> = Promise.resolve();

  /** Waits for all expected events; gives the time of each. */
  async end(): Promise<number[]> {
    this.#ending = true;
    await this.#done;
    await this.blocks.leave();
    return this.#tookMs;
  }

  async #read(): Promise<void> {
    while (!this.#ending || this.waiting.length > 0) {
      const block = await this.blocks.next();
      const nowMs = performance.now();
      if (block === null) throw new Error('a stream ended');
      const id = Number(/^id: (\d+)/m.exec(block)?.[1]);
      for (let first = this.waiting[0]; first !== undefined && id >= first.seq; first = this.waiting[0]) {
        this.#tookMs.push(Math.max(0, nowMs - first.atMs));
        this.waiting.shift();
      }
    }
  }
}
