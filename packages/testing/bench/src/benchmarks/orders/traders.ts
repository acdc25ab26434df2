import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningStandalone } from '@paper/testkit/exchange';
import { createCheckedClient, operatorClient } from '@paper/testkit/http';
import type { CheckedClient } from '@paper/testkit/http';

const ACCOUNTS = 64;
const MARKETS = 8;

/** Accounts of a service that trade with each other in a few markets. */
export class Traders {
  private constructor(
    private readonly service: RunningStandalone,
    private readonly client: CheckedClient,
    /** The API keys, one an account. */
    readonly keys: readonly string[],
  ) {}

  static async open(service: RunningStandalone): Promise<Traders> {
    const client = await createCheckedClient(service.baseUrl);
    const desk = operatorClient(client, service.operatorToken);
    const keys: string[] = [];
    for (let n = 0; n < ACCOUNTS; n += 1) {
      keys.push((await desk.open(`bench ${n}`, { startingBalance: 10_000_000 })).key);
    }
    for (let n = 0; n < MARKETS; n += 1) await desk.list(`bench-${n}`);
    return new Traders(service, client, keys);
  }

  /** Orders at one half: YES of one account meets NO of the next, so that the books stay small. */
  order(n: number): object {
    const outcome = n % 2 === 0 ? 'yes' : 'no';
    return { marketId: `bench-${Math.floor(n / 2) % MARKETS}`, outcome, price: 0.5, quantity: 1 };
  }

  /** A POST of the account whose turn is `n`. */
  post(n: number, path: string, body: object): Buffer {
    const text = JSON.stringify(body);
    return Buffer.from(
      `POST ${path} HTTP/1.1\r\nhost: x\r\nx-api-key: ${this.keys[n % ACCOUNTS] ?? ''}\r\n` +
        `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
    );
  }

  /** Events that the projection does not contain yet. */
  async lagEvents(): Promise<number> {
    const status = await this.client.ok<{ projections: readonly { lagEvents: number }[] }>(
      'GET',
      '/api/operator/status',
      { key: this.service.operatorToken },
    );
    return Math.max(...status.projections.map(({ lagEvents }) => lagEvents));
  }

  /** Waits until the projection contains every event. */
  async caughtUp(): Promise<void> {
    while ((await this.lagEvents()) > 0) await sleep(50);
  }
}
