import { setTimeout as sleep } from 'node:timers/promises';
import type { OperatorClient } from '@paper/testkit/http';
import { KeptConnection } from '../../index.ts';

const TRADERS = 16;
/** The usual interval of one trader: ten orders a second. */
const INTERVAL_MS = 100;

interface Trader {
  readonly key: string;
  readonly connection: KeptConnection;
  orders: number;
}

/** Sixteen accounts that trade with each other, each with one key and one connection. */
export class Traders {
  /** Orders whose answer had another status than 200. */
  refused = 0;

  private constructor(
    private readonly all: readonly Trader[],
    private readonly everyMs: number,
  ) {}

  /** @param everyMs the time from one order of a trader to its next */
  static async open(desk: OperatorClient, baseUrl: string, everyMs = INTERVAL_MS): Promise<Traders> {
    await desk.list('neighbourhood');
    const port = Number(new URL(baseUrl).port);
    const all: Trader[] = [];
    for (let n = 0; n < TRADERS; n += 1) {
      const { key } = await desk.open(`trader ${n}`, { startingBalance: 10_000_000 });
      all.push({ key, connection: await KeptConnection.open(port), orders: n });
    }
    return new Traders(all, everyMs);
  }

  /** The API key of one of the traders. */
  get anyKey(): string {
    return this.all[0]?.key ?? '';
  }

  /** Places at least this many orders, within the rate limits. */
  async place(orders: number): Promise<void> {
    for (let placed = 0; placed < orders; placed += TRADERS) {
      const begunMs = performance.now();
      await Promise.all(this.all.map((trader) => this.#order(trader)));
      await sleep(Math.max(0, 11 - (performance.now() - begunMs)));
    }
  }

  /** Milliseconds to each answer, from when its order was due: a wait for the former order counts. */
  async measure(seconds: number): Promise<number[]> {
    const tookMs: number[] = [];
    const begunMs = performance.now();
    await Promise.all(
      this.all.map(async (trader, index) => {
        const firstMs = begunMs + (index * this.everyMs) / TRADERS;
        for (let dueMs = firstMs; dueMs < begunMs + 1_000 * seconds; dueMs += this.everyMs) {
          await sleep(Math.max(0, dueMs - performance.now()));
          const sentMs = Math.max(dueMs, Math.min(performance.now(), dueMs + 2));
          await this.#order(trader);
          tookMs.push(performance.now() - sentMs);
        }
      }),
    );
    return tookMs;
  }

  /** Alternately YES and NO at one half, so that each order trades with another's. */
  async #order(trader: Trader): Promise<void> {
    trader.orders += 1;
    const body = JSON.stringify({
      marketId: 'neighbourhood',
      orderType: 'limit',
      outcome: trader.orders % 2 === 0 ? 'yes' : 'no',
      price: 0.5,
      quantity: 1,
      side: 'buy',
    });
    const head = `POST /api/orders HTTP/1.1\r\nhost: x\r\nx-api-key: ${trader.key}\r\ncontent-type: application/json\r\n`;
    const { status } = await trader.connection.ask(`${head}content-length: ${body.length}\r\n\r\n${body}`);
    if (status !== 200) this.refused += 1;
  }
}
