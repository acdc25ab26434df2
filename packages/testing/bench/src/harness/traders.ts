import type { Random } from '@paper/testkit';
import { prepareTrading } from '@paper/testkit/exchange';
import type { RunningExchange } from '@paper/testkit/exchange';
import { HttpConnection } from './http-connection.ts';
import { httpRequest } from './request.ts';

const CAUGHT_UP_WITHIN_MS = 120_000;

/** Accounts of an exchange with more money than they can spend, and the markets in which they trade. */
export class Traders {
  private constructor(
    private readonly baseUrl: string,
    readonly keys: readonly string[],
    readonly markets: readonly string[],
  ) {}

  /** `markets`: their ids, or their number. */
  static async open(
    exchange: Pick<RunningExchange, 'baseUrl' | 'operatorToken'>,
    { accounts, markets }: { readonly accounts: number; readonly markets: readonly string[] | number },
  ): Promise<Traders> {
    const ids = typeof markets === 'number' ? Array.from({ length: markets }, (_, n) => `bench-${n}`) : markets;
    return new Traders(exchange.baseUrl, await prepareTrading(exchange, { accounts, markets: ids }), ids);
  }

  get port(): number {
    return Number(new URL(this.baseUrl).port);
  }

  key(n: number): string {
    return this.keys[n % this.keys.length] ?? '';
  }

  /** An order at one half: YES of one account meets NO of the next, so that the books stay small. */
  crossingOrder(n: number) {
    const marketId = this.markets[Math.floor(n / 2) % this.markets.length] ?? '';
    return { marketId, outcome: n % 2 === 0 ? 'yes' : 'no', price: 0.5, quantity: 1 };
  }

  /** An order that is never filled, and leaves nothing in the book. */
  unfilledOrder() {
    return { ...this.crossingOrder(0), price: 0.01, timeInForce: 'IOC' };
  }

  crossingRequest(n: number): string {
    return httpRequest('POST', '/api/orders', { key: this.key(n), body: this.crossingOrder(n) });
  }

  /** Waits until the projection contains all answered commands; returns the time that this took. */
  async waitUntilCaughtUp(): Promise<number> {
    const begunMs = performance.now();
    const headers = { authorization: `Bearer ${this.key(0)}` };
    for (;;) {
      // The service delays this read until the projection has caught up, for at most two seconds.
      const answer = await fetch(`${this.baseUrl}/api/portfolio`, { headers });
      await answer.arrayBuffer();
      if (answer.status === 200) return performance.now() - begunMs;
      const isLate = performance.now() - begunMs > CAUGHT_UP_WITHIN_MS;
      if (answer.status !== 503 || isLate) throw new Error(`GET /api/portfolio: ${answer.status}`);
    }
  }

  /**
   * Places orders of account 0 for `ms`, while `beside` connections place others. Returns the milliseconds from each
   * answer until a portfolio with the order, requested at once, has arrived. `place` returns the order's id.
   */
  async portfolioDelays(
    { ms, beside }: { readonly ms: number; readonly beside: number },
    place: (connection: HttpConnection) => Promise<string>,
    placeBeside: (connection: HttpConnection, n: number) => Promise<unknown>,
  ): Promise<readonly number[]> {
    const untilMs = performance.now() + ms;
    const others = Array.from({ length: beside }, async (_, index) => {
      const connection = await HttpConnection.open(this.port);
      for (let n = index; performance.now() < untilMs; n += beside) await placeBeside(connection, n);
      connection.close();
    });
    const connection = await HttpConnection.open(this.port);
    const portfolio = httpRequest('GET', '/api/portfolio', { key: this.key(0) });
    const delaysMs: number[] = [];
    while (performance.now() < untilMs) {
      const id = await place(connection);
      const answeredMs = performance.now();
      const { status, text } = await connection.send(portfolio);
      delaysMs.push(performance.now() - answeredMs);
      if (!text().includes(id)) throw new Error(`GET /api/portfolio: ${status}, without ${id}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    connection.close();
    await Promise.all(others);
    return delaysMs;
  }
}

/** A seeded buy order: nearly half of them match a resting one, and a fifth cannot rest themselves. */
export function mixedOrder(random: Random, markets: readonly string[]) {
  return {
    marketId: markets[random.int(0, markets.length - 1)] ?? '',
    orderType: 'limit',
    outcome: random.chance(0.5) ? 'yes' : 'no',
    price: random.int(40, 58) / 100,
    quantity: random.int(1, 10),
    side: 'buy',
    timeInForce: random.chance(0.2) ? 'IOC' : 'GTC',
  };
}
