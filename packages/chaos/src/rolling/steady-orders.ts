import { setTimeout as sleep } from 'node:timers/promises';
import type { Answered } from '@paper/testkit';
import { ApiRefusal, createClient } from 'paper-trading-client';

export interface SteadyOrdersOptions {
  readonly baseUrl: string;
  /** One account for each key; orders go round them. */
  readonly apiKeys: readonly string[];
  readonly marketId: string;
  readonly perSecond: number;
  /** The time in which the rate rises from nothing to `perSecond`, since programs that just started are slow. */
  readonly rampMs: number;
}

const TICK_MS = 5;
/** Of one tick, so that answers are read also where the load is behind its time. */
const ORDERS_MAX = 25;
const RETRY_FOR_MS = 60_000;
const ANSWER_MS = 5_000;
/** The client repeats these until its time is over. */
const REPEATED: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * Places orders at a fixed rate, whether the former ones are answered or not (an open loop): a service that is slow or
 * away gets no fewer of them. Each has an Idempotency-Key and is repeated as the client does it, by Retry-After.
 */
export class SteadyOrders {
  readonly sent = new Set<string>();
  readonly answered = new Map<string, Answered>();
  /** Keys of orders that had no final answer within a minute, with the error. */
  readonly unanswered = new Map<string, unknown>();
  /** The longest time by which an order left after its due time, in ms: this process was busy. */
  latestMs = 0;
  readonly #clients;
  readonly #open = new Set<Promise<void>>();
  readonly #done: Promise<void>;
  #isWanted = true;

  constructor(private readonly options: SteadyOrdersOptions) {
    const { apiKeys, baseUrl } = options;
    const limits = { retryForMs: RETRY_FOR_MS, timeoutMs: ANSWER_MS };
    this.#clients = apiKeys.map((key) => createClient({ baseUrl, key, ...limits }));
    this.#done = this.#offer();
  }

  /** Sends no new orders; resolves when each that was sent has its final answer. */
  async stop(): Promise<void> {
    this.#isWanted = false;
    await this.#done;
    await Promise.all(this.#open);
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

  /** When the order is due, in ms from the beginning: the rate rises evenly, and then stays. */
  #dueMs(nth: number): number {
    const { perSecond, rampMs } = this.options;
    const perMs = perSecond / 1_000;
    const inRamp = (perMs * rampMs) / 2;
    return nth < inRamp ? Math.sqrt((2 * nth * rampMs) / perMs) : rampMs + (nth - inRamp) / perMs;
  }

  /** @param dueMs when it was to be sent: its wait counts from there */
  async #place(nth: number, dueMs: number): Promise<void> {
    const key = `steady-${nth}`;
    const client = this.#clients[nth % this.#clients.length];
    if (client === undefined) throw new Error('orders need an account');
    this.sent.add(key);
    // The accounts change roles from round to round, so that each buys and sells.
    const round = nth + Math.floor(nth / this.#clients.length);
    const body = {
      marketId: this.options.marketId,
      outcome: round % 2 === 0 ? 'yes' : 'no',
      price: (5 + (round % 90)) / 100,
      quantity: 1,
    } as const;
    try {
      const { id } = await client.call('placeOrder', { body }, { idempotencyKey: key });
      this.#note(key, 200, id, dueMs);
    } catch (error) {
      const status = statusOf(error);
      if (status === null) this.unanswered.set(key, error);
      else this.#note(key, status, null, dueMs);
    }
  }

  #note(key: string, status: number, orderId: string | null, dueMs: number): void {
    const atMs = performance.now();
    this.answered.set(key, { atMs, by: this.options.baseUrl, orderId, status, waitedMs: atMs - dueMs });
  }
}

/** The status of a final refusal; null where it is unknown what became of the order, or where it was not taken in time. */
function statusOf(error: unknown): number | null {
  if (!(error instanceof ApiRefusal) || REPEATED.has(error.status)) return null;
  return error.status;
}
