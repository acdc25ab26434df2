import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from '@paper/testkit';
import { marketBody } from '@paper/testkit/http';
import type { Client } from './client.ts';
import { keyName, listingName, resolutionName, signalName } from './client-request.ts';

const PAUSE_MS = 150;
/** A market that closes so soon is closed when the clock is set an hour ahead. */
const CLOSES_SOON_MS = 30 * 60_000;

interface Item {
  readonly name: string;
  readonly body: object;
}

/** An operator: lists a market, records a signal for it and resolves the oldest market, in one batch. */
export class Operator {
  readonly #active: string[] = [];
  #count = 0;

  constructor(
    private readonly client: Client,
    private readonly token: string,
    private readonly random: Random,
  ) {}

  /** Markets that accept orders, unless the clock has closed them. */
  get active(): readonly string[] {
    return this.#active;
  }

  async run(wanted: () => boolean): Promise<void> {
    while (wanted()) {
      await wait(this.random.int(0, 2 * PAUSE_MS));
      if (this.random.chance(0.2)) await this.client.read('/api/operator/markets?limit=50', this.token);
      else if (this.random.chance(0.3)) await this.open(`guest ${this.#count}`);
      else await this.#turnOver();
    }
  }

  async list(): Promise<void> {
    const { marketId, item } = this.#listing();
    await this.#batch([item]);
    this.#active.push(marketId);
  }

  /** Opens an account with more money than it can spend, and returns its API key. */
  async open(displayName: string): Promise<string> {
    const key = this.#next('account');
    const body = { displayName, startingBalance: 10_000_000 };
    const acknowledged = await this.#post('/api/operator/accounts', body, key);
    if (acknowledged === null) throw new Error(`no account was opened for ${displayName}`);
    const { account, apiKey } = acknowledged.body as { account: { id: string }; apiKey: { rawKey?: string } };
    if (apiKey.rawKey !== undefined) return apiKey.rawKey;
    // The answer with the key was lost, and a raw key is in the first answer only.
    return this.#issueKey(account.id);
  }

  async #issueKey(accountId: string): Promise<string> {
    for (;;) {
      const key = this.#next('key');
      const path = `/api/operator/accounts/${accountId}/keys`;
      const body = { name: 'again', permissions: ['view', 'trade'] };
      const acknowledged = await this.#post(path, body, key);
      const rawKey = (acknowledged?.body as { apiKey?: { rawKey?: string } } | undefined)?.apiKey?.rawKey;
      if (rawKey !== undefined) return rawKey;
    }
  }

  async #turnOver(): Promise<void> {
    const { marketId, item } = this.#listing();
    const oldest = this.#active.shift() ?? marketId;
    const resolution: Item = {
      name: resolutionName(oldest),
      body: { op: 'resolve-market', id: oldest, outcome: this.random.pick(['yes', 'no']) },
    };
    const items = [item, this.#signal(marketId), this.#signal(oldest), resolution];
    await this.#batch(items);
    this.#active.push(marketId);
  }

  async #batch(items: readonly Item[]): Promise<void> {
    const body = { commands: items.map((item) => item.body) };
    await this.#post(
      '/api/operator/batch',
      body,
      null,
      items.map(({ name }) => name),
    );
  }

  #post(path: string, body: object, key: string | null, names = key === null ? [] : [keyName(key)]) {
    return this.client.perform({ token: this.token, method: 'POST', path, body, key, names });
  }

  #listing(): { readonly marketId: string; readonly item: Item } {
    const marketId = this.#next('market');
    const closesAt = this.random.chance(0.5) ? new Date(Date.now() + CLOSES_SOON_MS) : new Date('2099-01-01');
    const body = { op: 'list-market', ...marketBody(marketId, { closesAt: closesAt.toISOString() }) };
    return { marketId, item: { name: listingName(marketId), body } };
  }

  #signal(marketId: string): Item {
    const externalId = this.#next('signal');
    const body = {
      op: 'record-signal',
      externalId,
      source: 'chaos',
      headline: `Something happens to ${marketId}`,
      citationUrl: 'https://example.com/',
      publishedAt: new Date().toISOString(),
      marketId,
      fairProb: this.random.int(10, 90) / 100,
    };
    return { name: signalName(externalId), body };
  }

  #next(what: string): string {
    this.#count += 1;
    return `chaos-${what}-${this.#count}`;
  }
}
