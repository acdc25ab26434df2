import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from '@paper/testkit';
import type { Client } from './client.ts';
import { keyName } from './client-request.ts';
import type { ClientRequest } from './client-request.ts';

const PAUSE_MS = 20;

/** A bot that places orders of all kinds, cancels some, reads its portfolio, and repeats answered requests. */
export class Trader {
  #count = 0;
  readonly #orders: string[] = [];

  constructor(
    private readonly client: Client,
    private readonly apiKey: string,
    private readonly random: Random,
    private readonly markets: () => readonly string[],
  ) {}

  async run(wanted: () => boolean): Promise<void> {
    const { random } = this;
    while (wanted()) {
      await wait(random.int(0, 2 * PAUSE_MS));
      const step = random.weighted([
        [60, () => this.#order()],
        [20, () => this.#cancel()],
        [10, () => this.#again()],
        [10, () => this.look()],
      ]);
      await step();
    }
  }

  /** Reads the trader's portfolio, which must be as new as all answers so far. */
  async look(): Promise<void> {
    await this.client.read('/api/portfolio', this.apiKey);
  }

  async #order(): Promise<void> {
    const { random } = this;
    const orderType = random.chance(0.2) ? 'market' : 'limit';
    const order = {
      marketId: random.pick(this.markets()),
      outcome: random.pick(['yes', 'no']),
      side: random.chance(0.8) ? 'buy' : 'sell',
      orderType,
      timeInForce: random.weighted([
        [8, 'GTC'],
        [1, 'IOC'],
        [1, 'FOK'],
      ]),
      quantity: random.int(1, 20),
      ...(orderType === 'limit' ? { price: random.int(40, 60) / 100 } : {}),
    };
    const acknowledged = await this.client.perform(this.#requestFor('POST', '/api/orders', order));
    if (acknowledged === null) return;
    this.#orders.push((acknowledged.body as { readonly id: string }).id);
    if (this.#orders.length > 20) this.#orders.shift();
  }

  async #cancel(): Promise<void> {
    if (this.#orders.length === 0) return;
    await this.client.perform(this.#requestFor('DELETE', `/api/orders/${this.random.pick(this.#orders)}`, undefined));
  }

  async #again(): Promise<void> {
    if (this.client.kept.length > 0) await this.client.again(this.random.pick(this.client.kept));
  }

  #requestFor(method: ClientRequest['method'], path: string, body: unknown): ClientRequest {
    this.#count += 1;
    const key = `${this.client.name}-${this.#count}`;
    return { token: this.apiKey, method, path, body, key, names: [keyName(key)] };
  }
}
