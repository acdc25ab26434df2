import { setTimeout as sleep } from 'node:timers/promises';
import { httpRequest } from '@paper/bench';
import type { PlainAnswer } from '@paper/bench';
import type { Answered } from '@paper/testkit/failover';
import { OrderConnections } from './order-connections.ts';

export interface SteadyOrdersOptions {
  /** The URL of the front door, on this machine and without TLS. */
  readonly baseUrl: string;
  /** The keys of the accounts, which send orders in turn. */
  readonly apiKeys: readonly string[];
  readonly marketId: string;
  readonly perSecond: number;
  /** The time in which the rate rises from zero to `perSecond`, since programs that just started are slow. */
  readonly rampMs: number;
}

const TICK_MS = 5;
/** The most orders of one tick. Answers are read between two ticks, even when the load is late. */
const ORDERS_MAX = 25;
const RETRY_FOR_MS = 60_000;
const PAUSE_MS = 200;
const REPEATED: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * Places orders at a fixed rate, whether earlier ones are answered or not (an open loop). Each has an Idempotency-Key,
 * and is repeated after a 503 by its Retry-After, and after a lost connection.
 */
export class SteadyOrders {
  readonly sent = new Set<string>();
  readonly answered = new Map<string, Answered>();
  /** Keys of orders that had no final answer within a minute, with the last answer or error. */
  readonly unanswered = new Map<string, string>();
  /** The longest delay of an order after its due time; this process causes such delays when it is busy. */
  latestMs = 0;
  readonly #connections: OrderConnections;
  readonly #open = new Set<Promise<void>>();
  readonly #done: Promise<void>;
  #isWanted = true;

  constructor(private readonly options: SteadyOrdersOptions) {
    this.#connections = new OrderConnections(Number(new URL(options.baseUrl).port));
    this.#done = this.#offer();
  }

  /** Stops sending new orders. Resolves when each sent order has its final answer. */
  async stop(): Promise<void> {
    this.#isWanted = false;
    await this.#done;
    await Promise.all(this.#open);
    this.#connections.close();
  }

  async #offer(): Promise<void> {
    const beganMs = performance.now();
    let nth = 0;
    while (this.#isWanted) {
      for (const last = nth + ORDERS_MAX; nth < last; nth += 1) {
        const dueMs = beganMs + this.#dueMs(nth);
        const lateMs = performance.now() - dueMs;
        if (lateMs < 0) break;
        this.latestMs = Math.max(this.latestMs, lateMs);
        const open = this.#place(nth, dueMs).finally(() => this.#open.delete(open));
        this.#open.add(open);
      }
      await sleep(TICK_MS);
    }
  }

  /** The due time of an order, in ms since the beginning. The rate rises evenly, and then stays the same. */
  #dueMs(nth: number): number {
    const { perSecond, rampMs } = this.options;
    const perMs = perSecond / 1_000;
    const inRamp = (perMs * rampMs) / 2;
    return nth < inRamp ? Math.sqrt((2 * nth * rampMs) / perMs) : rampMs + (nth - inRamp) / perMs;
  }

  /** The waiting time of the order counts from `dueMs`. */
  async #place(nth: number, dueMs: number): Promise<void> {
    const key = `steady-${nth}`;
    this.sent.add(key);
    const request = this.#requestOf(nth, key);
    for (;;) {
      const answer = await this.#connections.ask(request).catch(String);
      const atMs = performance.now();
      if (typeof answer !== 'string' && !REPEATED.has(answer.status)) {
        const { status } = answer;
        const orderId = status === 200 ? (JSON.parse(answer.text()) as { readonly id: string }).id : null;
        this.answered.set(key, { atMs, by: this.options.baseUrl, orderId, status, waitedMs: atMs - dueMs });
        return;
      }
      if (atMs - dueMs > RETRY_FOR_MS) {
        this.unanswered.set(key, typeof answer === 'string' ? answer : answer.head);
        return;
      }
      await sleep(pauseMsOf(answer));
    }
  }

  #requestOf(nth: number, key: string): string {
    const { apiKeys, marketId } = this.options;
    // The accounts change sides in each round, so that each account buys and sells.
    const round = nth + Math.floor(nth / apiKeys.length);
    const outcome = round % 2 === 0 ? 'yes' : 'no';
    const body = { marketId, outcome, price: (5 + (round % 90)) / 100, quantity: 1 };
    return httpRequest('POST', '/api/orders', { key: apiKeys[nth % apiKeys.length] ?? '', idempotencyKey: key, body });
  }
}

function pauseMsOf(answer: PlainAnswer | string): number {
  const seconds = typeof answer === 'string' ? undefined : /\r\nretry-after: (\d+)/i.exec(answer.head)?.[1];
  return seconds === undefined ? PAUSE_MS : 1_000 * Number(seconds);
}
