import { decode } from '@paper/journal';
import type { JournalEvent } from '@paper/journal';
import { httpHarness, listing } from './http-harness.ts';
import type { HarnessOptions, HttpHarness, Reply } from './http-harness.ts';

type Json = Readonly<Record<string, unknown>>;

/** An account of a spec, with one of its keys. */
export interface Trader {
  readonly accountId: string;
  readonly keyId: string;
  readonly key: string;
}

interface KeyAnswer {
  readonly id: string;
  readonly rawKey: string;
}

/**
 * Two fleets in a running command side: Ada with her sub-account, and Bob. The markets `m` and `n` have a tick of 0.01,
 * `fine` one of 0.0001.
 */
export class TradingFloor {
  private constructor(
    readonly harness: HttpHarness,
    readonly ada: Trader,
    readonly sub: Trader,
    readonly bob: Trader,
  ) {}

  static async open(options: HarnessOptions = {}): Promise<TradingFloor> {
    const harness = await httpHarness(options);
    for (const id of ['m', 'n']) {
      await harness.operate('POST', '/api/operator/markets', listing(id, { tickSize: 0.01 }));
    }
    await harness.operate('POST', '/api/operator/markets', listing('fine'));
    const ada = await openAccount(harness, 'Ada');
    const opened = await harness.call('POST', '/api/accounts/sub', { body: { displayName: 'Worker' }, key: ada.key });
    const { subAccount, apiKey } = opened.body as unknown as { subAccount: { id: string }; apiKey: KeyAnswer };
    const sub = { accountId: subAccount.id, key: apiKey.rawKey, keyId: apiKey.id };
    return new TradingFloor(harness, ada, sub, await openAccount(harness, 'Bob'));
  }

  close(): Promise<void> {
    return this.harness.close();
  }

  openAccount(displayName: string): Promise<Trader> {
    return openAccount(this.harness, displayName);
  }

  /** Issues a further key of the account, which is the primary or a sub-account of its fleet. */
  async issueKey(primary: Trader, accountId: string, permissions: readonly string[]): Promise<Trader> {
    const body = { name: permissions.join(' '), permissions };
    const reply = await this.send('POST', `/api/accounts/sub/${accountId}/keys`, primary, body);
    const { apiKey } = reply.body as unknown as { apiKey: KeyAnswer };
    return { accountId, key: apiKey.rawKey, keyId: apiKey.id };
  }

  send(method: string, path: string, as: Trader | null, body?: unknown, idempotencyKey?: string): Promise<Reply> {
    return this.harness.call(method, path, {
      body,
      ...(as === null ? {} : { key: as.key }),
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    });
  }

  /** Places an order by POST /api/orders, which has to be accepted; gives its id. */
  async place(as: Trader, more: Json = {}): Promise<string> {
    const reply = await this.send('POST', '/api/orders', as, order(more));
    if (reply.status !== 200) throw new Error(`the order was refused: ${JSON.stringify(reply.body)}`);
    return String(reply.body['id']);
  }

  batch(as: Trader, orders: readonly unknown[], idempotencyKey?: string): Promise<Reply> {
    return this.send('POST', '/api/orders/batch', as, { orders }, idempotencyKey);
  }

  /** The number of events in the journal. */
  get length(): number {
    return this.harness.log.events.length;
  }

  /** The journal's events from this index on. */
  eventsFrom(start: number): readonly JournalEvent[] {
    return this.harness.log.events.slice(start).map(decode);
  }
}

async function openAccount(harness: HttpHarness, displayName: string): Promise<Trader> {
  const { body } = await harness.operate('POST', '/api/operator/accounts', { displayName });
  const { account, apiKey } = body as unknown as { account: { id: string }; apiKey: KeyAnswer };
  return { accountId: account.id, key: apiKey.rawKey, keyId: apiKey.id };
}

/** A buy of 10 YES shares of `m` at 0.40, with changes; a field that is undefined is left out. */
export function order(more: Json = {}): Json {
  return { marketId: 'm', outcome: 'yes', price: 0.4, quantity: 10, ...more };
}

/** Status and code of a refusal. */
export function refusal({ status, body }: Reply): readonly unknown[] {
  return [status, body['code']];
}

/** The result of an item of a batch. */
export interface ItemReply {
  readonly ok: boolean;
  readonly order?: Json;
  readonly error?: string;
  readonly code?: string;
}

export function resultsIn({ status, body }: Reply): readonly ItemReply[] {
  if (status !== 200) throw new Error(`the batch was refused: ${JSON.stringify(body)}`);
  return body['results'] as readonly ItemReply[];
}

/** The codes of a batch's results, `ok` for an order. */
export function codesIn(reply: Reply): readonly string[] {
  return resultsIn(reply).map(({ ok, code }) => (ok ? 'ok' : String(code)));
}
