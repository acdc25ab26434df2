import { createRandom } from '@paper/testkit';
import type { RunningExchange } from '@paper/testkit/exchange';
import type { Answered } from '@paper/testkit/failover';
import { closedLoop, httpRequest, mixedOrder, processorSeconds, Traders } from '../../index.ts';
import type { HttpConnection } from '../../index.ts';

const SEED = 5_006;

/** A whole exchange under test, with accounts, markets, and the orders sent to it so far. */
export class ExchangeSet {
  readonly sent = new Set<string>();
  readonly answered = new Map<string, Answered>();
  readonly #random = createRandom(SEED);

  private constructor(
    readonly exchange: RunningExchange,
    /** The exchange's processes by name, with the URLs of their metrics. */
    private readonly processes: ReadonlyMap<string, string>,
    readonly traders: Traders,
  ) {}

  static async prepare(exchange: RunningExchange, processes: ReadonlyMap<string, string>): Promise<ExchangeSet> {
    return new ExchangeSet(exchange, processes, await Traders.open(exchange, { accounts: 100, markets: 20 }));
  }

  /** Sends the next order and waits for its answer. The sequence of orders is the same for each set. */
  async order(connection: HttpConnection): Promise<void> {
    const body = mixedOrder(this.#random, this.traders.markets);
    await this.place(connection, this.#random.pick(this.traders.keys), body);
  }

  /** Sends this order. @throws Error at an answer for another order */
  async place(connection: HttpConnection, apiKey: string, body: { readonly quantity: number }) {
    const idempotencyKey = `order-${this.sent.size}`;
    this.sent.add(idempotencyKey);
    const sentMs = performance.now();
    const answer = await connection.send(httpRequest('POST', '/api/orders', { key: apiKey, idempotencyKey, body }));
    const atMs = performance.now();
    const text = answer.text();
    const { id, quantity } = JSON.parse(text) as { readonly id?: string; readonly quantity?: number };
    if (answer.status !== 200 || id === undefined || quantity !== body.quantity) {
      throw new Error(`POST /api/orders ${JSON.stringify(body)}: ${answer.status} ${text}`);
    }
    this.answered.set(idempotencyKey, { atMs, by: '', orderId: id, status: answer.status, waitedMs: atMs - sentMs });
    return { id, atMs, seq: Number(/\r\nx-journal-seq: (\d+)/i.exec(answer.head)?.[1]) };
  }

  /** Sends orders on that many connections, each with one in flight, for `ms`; then waits for the projection. */
  async measure(port: number, clients: number, ms: number) {
    let before: ReadonlyMap<string, number> = new Map();
    const whenOpen = async (): Promise<void> => {
      before = await this.#processorSeconds();
    };
    const load = await closedLoop({ port, clients, ms, whenOpen }, (connection) => this.order(connection));
    const catchUpMs = await this.traders.waitUntilCaughtUp();
    const after = await this.#processorSeconds();
    const processor = new Map([...after].map(([name, seconds]) => [name, seconds - (before.get(name) ?? 0)]));
    return { ...load, catchUpMs, processor };
  }

  async #processorSeconds(): Promise<ReadonlyMap<string, number>> {
    const seconds = new Map<string, number>();
    for (const [name, metricsUrl] of this.processes) seconds.set(name, await processorSeconds(metricsUrl));
    return seconds;
  }
}
