import { createRandom } from '@paper/testkit';
import type { Random } from '@paper/testkit';
import type { RunningExchange } from '@paper/testkit/exchange';
import type { Answered } from '@paper/testkit/failover';
import { createCheckedClient, operatorClient } from '@paper/testkit/http';
import type { KeptConnection } from '../../index.ts';

const SEED = 5_006;
const ACCOUNTS = 100;
const MARKETS = 20;

/** A whole exchange under test, with accounts, markets, and the orders sent to it so far. */
export class ExchangeSet {
  /** Idempotency-Keys that were sent, for comparison with the journal. */
  readonly sent = new Set<string>();
  readonly answered = new Map<string, Answered>();
  readonly #random: Random = createRandom(SEED);
  readonly #apiKeys: string[] = [];

  private constructor(
    readonly exchange: RunningExchange,
    /** The exchange's processes by name, with the URLs of their metrics. */
    readonly processes: ReadonlyMap<string, string>,
  ) {}

  /** Opens accounts with more money than they can spend, and lists the markets. */
  static async prepare(exchange: RunningExchange, processes: ReadonlyMap<string, string>): Promise<ExchangeSet> {
    const set = new ExchangeSet(exchange, processes);
    const desk = operatorClient(await createCheckedClient(exchange.baseUrl), exchange.operatorToken);
    for (let n = 0; n < MARKETS; n += 1) await desk.list(marketId(n));
    for (let n = 0; n < ACCOUNTS; n += 1) {
      set.#apiKeys.push((await desk.open(`trader ${n}`, { startingBalance: 10_000_000 })).key);
    }
    return set;
  }

  get anyKey(): string {
    return this.#apiKeys[0] ?? '';
  }

  /**
   * Sends the next order and waits for its answer. A little more than half of the orders rest below the middle, the
   * others take resting orders. The sequence of orders is the same for each set.
   * @throws Error at an answer for another order.
   */
  async order(connection: KeptConnection): Promise<void> {
    const random = this.#random;
    const isMaking = random.chance(0.55);
    const body = {
      marketId: marketId(random.int(0, MARKETS - 1)),
      outcome: random.chance(0.5) ? 'yes' : 'no',
      price: (isMaking ? random.int(45, 49) : 55) / 100,
      quantity: random.int(1, 10),
      timeInForce: isMaking ? 'GTC' : 'IOC',
    };
    const key = `order-${this.sent.size}`;
    this.sent.add(key);
    const sentMs = performance.now();
    const answer = await connection.ask(orderRequest(random.pick(this.#apiKeys), key, body));
    const atMs = performance.now();
    const text = answer.text();
    const { id, quantity } = JSON.parse(text) as { readonly id?: string; readonly quantity?: number };
    if (answer.status !== 200 || id === undefined || quantity !== body.quantity) {
      throw new Error(`POST /api/orders ${JSON.stringify(body)}: ${answer.status} ${text}`);
    }
    this.answered.set(key, { atMs, by: '', orderId: id, status: answer.status, waitedMs: atMs - sentMs });
  }

  /** Waits until the projection contains all answered commands; gives the time. */
  async caughtUp(): Promise<number> {
    const begunMs = performance.now();
    const headers = { authorization: `Bearer ${this.anyKey}` };
    for (;;) {
      // The service delays this read until the projection has caught up, for two seconds at most.
      const answer = await fetch(`${this.exchange.baseUrl}/api/portfolio`, { headers });
      await answer.arrayBuffer();
      if (answer.status === 200) return performance.now() - begunMs;
      if (answer.status !== 503) throw new Error(`GET /api/portfolio: ${answer.status}`);
    }
  }
}

export function marketId(n: number): string {
  return `bench-${n}`;
}

export function orderRequest(apiKey: string, idempotencyKey: string, order: unknown): string {
  const body = JSON.stringify(order);
  return [
    'POST /api/orders HTTP/1.1',
    'host: 127.0.0.1',
    `authorization: Bearer ${apiKey}`,
    'content-type: application/json',
    `idempotency-key: ${idempotencyKey}`,
    `content-length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
}
