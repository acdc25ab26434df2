import { eventBlocks } from '@paper/testkit/http';
import type { HttpConnection } from '../../index.ts';
import type { ExchangeSet } from './exchange-set.ts';

/**
 * Places orders one after the other for `ms`, while `beside` further connections place orders too. Returns the ms from
 * each answer until a portfolio with the order, the order in the account's stream, and its sequence in a pulse.
 */
export async function measureFreshness(set: ExchangeSet, beside: number, ms: number) {
  const { exchange, traders } = set;
  const key = traders.key(0);
  const headers = { authorization: `Bearer ${key}` };
  const own = await Stream.open(`${exchange.baseUrl}/api/stream/account`, headers);
  const pulse = await Stream.open(`${exchange.baseUrl}/api/stream?marketId=${traders.markets[0]}`, headers);
  const place = async (connection: HttpConnection): Promise<string> => {
    const { id, ...expected } = await set.place(connection, key, traders.unfilledOrder());
    for (const stream of [own, pulse]) stream.expect(expected);
    return id;
  };
  const portfolioMs = await traders.portfolioDelays({ ms, beside }, place, (connection) => set.order(connection));
  return { accountStreamMs: await own.end(), portfolioMs, pulseMs: await pulse.end() };
}

interface Expected {
  readonly seq: number;
  readonly atMs: number;
}

/** The events of a stream, compared with the expected ones. */
class Stream {
  readonly #waiting: Expected[] = [];
  readonly #tookMs: number[] = [];
  #lastId = 0;
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

  /** Adds an expected event. The stream may have sent it before the answer to its order was read. */
  expect(expected: Expected): void {
    if (expected.seq <= this.#lastId) this.#tookMs.push(0);
    else this.#waiting.push(expected);
  }

  /** Waits for all expected events; returns the time of each. */
  async end(): Promise<number[]> {
    this.#ending = true;
    await this.#done;
    await this.blocks.leave();
    return this.#tookMs;
  }

  async #read(): Promise<void> {
    while (!this.#ending || this.#waiting.length > 0) {
      const block = await this.blocks.next();
      const nowMs = performance.now();
      if (block === null) throw new Error('a stream ended');
      const id = Number(/^id: (\d+)/m.exec(block)?.[1] ?? 0);
      this.#lastId = Math.max(this.#lastId, id);
      for (let first = this.#waiting[0]; first !== undefined && id >= first.seq; first = this.#waiting[0]) {
        this.#tookMs.push(Math.max(0, nowMs - first.atMs));
        this.#waiting.shift();
      }
    }
  }
}
