import { Unavailable } from '@paper/contracts';
import type { Permission } from '@paper/contracts';
import { FairSlots } from '@paper/http';
import type { Logger } from '@paper/runtime';
import { sql } from 'kysely';
import { refusalIn } from 'paper-trading-client';
import type { AnswerOf } from 'paper-trading-client';
import { NOW } from '../base/database-time.ts';
import type { PortalDatabase } from '../base/database.ts';
import type { PortalTables, Person } from '../base/schema.ts';
import { bodyOf } from './api.ts';
import type { Api, Apis } from './api.ts';
import { SealBroken } from '../base/vault.ts';
import type { Vault } from '../base/vault.ts';

export type KeyPurpose = PortalTables['account_keys']['purpose'];

/** The permissions of stored keys. `master` makes keys for sub-accounts, and can grant only what it has itself. */
const PERMISSIONS: Readonly<Record<KeyPurpose, Permission[]>> = {
  everyday: ['view', 'trade'],
  master: ['view', 'trade', 'master', 'reconcile'],
  view: ['view'],
};

/** A person with their account, and the account that a key is for: the person's own or a sub-account of it. */
export type KeyOwner = Readonly<Record<'personId' | 'primaryId' | 'accountId', string>>;

type PortalKey = Readonly<Record<'keyId' | 'rawKey', string>>;

/** The days without use after which a view key of a sub-account is revoked. */
const VIEW_KEY_DAYS = 30;

/** The most keys that one call issues until an answer contains a raw key; then the call fails. */
const ISSUES_MAX = 10;

/** The person's own account, as the owner of keys. @throws Error for a person without an account. */
export function ownAccount({ id, account_id: accountId }: Person): KeyOwner {
  if (accountId === null) throw new Error(`person ${id} has no account`);
  return { personId: id, primaryId: accountId, accountId };
}

/** Names the key of a person for an account and a purpose. */
function nameOf({ accountId, personId }: KeyOwner, purpose: KeyPurpose): string {
  return `${personId} ${accountId} ${purpose}`;
}

function own(owner: KeyOwner): KeyOwner {
  return { ...owner, accountId: owner.primaryId };
}

/** The encrypted API keys with which the portal acts for people. A revoked key is replaced when it is needed. */
export class PortalKeys {
  readonly #renewals = new Map<string, Promise<PortalKey>>();
  /** Each renewal holds a connection of the pool while it calls the API; the other connections are for its queries. */
  readonly #turns = new FairSlots({
    atOnce: 4,
    atOncePerAccount: 2,
    waiting: 200,
    waitingPerAccount: 50,
    waitMs: 20_000,
    what: 'keys',
  });

  constructor(
    private readonly db: PortalDatabase,
    private readonly vault: Vault,
    private readonly apis: Apis,
    private readonly logger: Logger,
  ) {}

  /**
   * Calls the API with a stored key. If the key is missing or revoked, makes a new one and calls again. @throws ApiError
   * or Unavailable when no key can be made, and the errors of the work.
   */
  async use<T extends { readonly status: number }>(
    owner: KeyOwner,
    purpose: KeyPurpose,
    work: (key: string) => Promise<T>,
  ): Promise<T> {
    const key = await this.get(owner, purpose);
    const answer = await work(key.rawKey);
    if (answer.status !== 401) return answer;
    const renewed = await this.#renew(owner, purpose, key.keyId);
    return work(renewed.rawKey);
  }

  /** Makes a call of the API with this key. @throws as `use`, and ApiError when the API refuses. */
  async call<T>(owner: KeyOwner, purpose: KeyPurpose, work: (api: Api) => Promise<T>): Promise<T> {
    const { call } = await this.use(owner, purpose, async (key) => {
      const made = work(this.apis.as(key));
      const status = await made.then(
        () => 200,
        (error: unknown) => refusalIn(error)?.status ?? 0,
      );
      return { status, call: made };
    });
    return bodyOf(call);
  }

  /** The stored key; made if there is none. */
  async get(owner: KeyOwner, purpose: KeyPurpose): Promise<PortalKey> {
    const found = await this.#stored(owner, purpose);
    if (found === null) return this.#renew(owner, purpose, null);
    const rawKey = this.#opened(owner, found);
    return rawKey === null ? this.#renew(owner, purpose, found.key_id) : { keyId: found.key_id, rawKey };
  }

  /** Makes a key in place of one that does not work (null: there was none), unless another request has done so. */
  #renew(owner: KeyOwner, purpose: KeyPurpose, failed: string | null): Promise<PortalKey> {
    // Whether the account is the person's own is known only at the end, so nobody may wait for another person's renewal.
    const name = nameOf(owner, purpose);
    const running = this.#renewals.get(name);
    if (running !== undefined) return running;
    const renewal = this.#renewInTurn(owner, purpose, failed).finally(() => this.#renewals.delete(name));
    this.#renewals.set(name, renewal);
    return renewal;
  }

  async #renewInTurn(owner: KeyOwner, purpose: KeyPurpose, failed: string | null): Promise<PortalKey> {
    // A view key is made with the `master` key, which may have to be renewed too, but not while this turn is taken.
    if (purpose === 'view') await this.call(own(owner), 'master', (api) => api.call('getMe', {}));
    const lane = { fleet: owner.personId, account: owner.personId };
    return this.#turns.use(lane, new AbortController().signal, () => this.#renewNow(owner, purpose, failed));
  }

  async idsOf(personId: string): Promise<ReadonlySet<string>> {
    const rows = await this.db.selectFrom('account_keys').select('key_id').where('person_id', '=', personId).execute();
    return new Set(rows.map((row) => row.key_id));
  }

  /** Revokes view keys unused for 30 days, as the operator: keys of a closed account can revoke nothing. */
  async revokeUnused(): Promise<void> {
    const unused = await this.db
      .selectFrom('account_keys')
      .select(['key_id', 'account_id'])
      .where('purpose', '=', 'view')
      .where('last_used_at', '<', sql<Date>`now() - make_interval(days => ${VIEW_KEY_DAYS})`)
      .execute();
    for (const { key_id: keyId, account_id: accountId } of unused) {
      try {
        if (!(await this.#revoke(keyId))) continue;
        await this.db.deleteFrom('account_keys').where('key_id', '=', keyId).execute();
        this.logger.info({ keyId, accountId }, 'a view key was revoked: unused for 30 days');
      } catch (error) {
        this.logger.warn({ err: error, keyId }, 'an unused view key could not be revoked; trying again later');
      }
    }
  }

  async #store(db: PortalDatabase, owner: KeyOwner, purpose: KeyPurpose, { keyId, rawKey }: PortalKey): Promise<void> {
    const row = { key_id: keyId, sealed: this.vault.seal(rawKey, owner.accountId, keyId) };
    const { personId: person_id, accountId: account_id } = owner;
    await db
      .insertInto('account_keys')
      .values({ ...row, person_id, account_id, purpose })
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'purpose']).doUpdateSet({ ...row, created_at: NOW, last_used_at: NOW }),
      )
      .execute();
  }

  async #stored(owner: KeyOwner, purpose: KeyPurpose) {
    const row = await this.#rowOf(this.db, owner, purpose)
      .select(sql<boolean>`last_used_at < now() - interval '1 day'`.as('is_unnoted'))
      .executeTakeFirst();
    if (row === undefined) return null;
    if (row.is_unnoted) {
      await this.db.updateTable('account_keys').set({ last_used_at: NOW }).where('key_id', '=', row.key_id).execute();
    }
    return row;
  }

  /** The raw key of a row; null if its secret is lost. A key under an older secret is encrypted again. */
  #opened({ accountId }: KeyOwner, { key_id: keyId, sealed }: Readonly<{ key_id: string; sealed: Buffer }>) {
    try {
      const rawKey = this.vault.open(sealed, accountId, keyId);
      if (!this.vault.isCurrent(sealed)) this.#sealAnew(accountId, keyId, rawKey);
      return rawKey;
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      this.logger.warn({ accountId, keyId }, `${error.message}; another key is made`);
      return null;
    }
  }

  #sealAnew(accountId: string, keyId: string, rawKey: string): void {
    this.db
      .updateTable('account_keys')
      .set({ sealed: this.vault.seal(rawKey, accountId, keyId) })
      .where('key_id', '=', keyId)
      .execute()
      .catch((error: unknown) => this.logger.warn({ err: error }, 'a key could not be encrypted anew'));
  }

  #rowOf(db: PortalDatabase, { accountId, personId }: KeyOwner, purpose: KeyPurpose) {
    return db
      .selectFrom('account_keys')
      .select(['key_id', 'sealed'])
      .where('account_id', '=', accountId)
      .where('person_id', '=', personId)
      .where('purpose', '=', purpose);
  }

  async #renewNow(owner: KeyOwner, purpose: KeyPurpose, failed: string | null): Promise<PortalKey> {
    const renewed = await this.db.transaction().execute(async (db) => {
      // Only one portal at a time makes this key.
      const name = `portal key ${nameOf(owner, purpose)}`;
      await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db);
      const found = await this.#rowOf(db, owner, purpose).executeTakeFirst();
      if (found !== undefined && found.key_id !== failed) {
        return { keyId: found.key_id, rawKey: this.vault.open(found.sealed, owner.accountId, found.key_id) };
      }
      const key = await this.#issue(owner, purpose, failed ?? 'none');
      await this.#store(db, owner, purpose, key);
      return key;
    });
    if (failed !== null && failed !== renewed.keyId) await this.#revoke(failed);
    return renewed;
  }

  /** Revokes a key that must not stay alive. Returns whether it is revoked now, or unknown to the API. */
  async #revoke(keyId: string): Promise<boolean> {
    try {
      await this.apis.operator.call('revokeAccountKey', { params: { keyId } });
      return true;
    } catch (error) {
      const status = refusalIn(error)?.status;
      if (status === undefined) throw error;
      if (status === 404) return true;
      this.logger.warn({ keyId, status }, 'an old key could not be revoked');
      return false;
    }
  }

  /**
   * Issues a key. If the answer to an earlier request was lost, revokes that key and issues another. The
   * Idempotency-Keys depend only on `after`, so that a crash between two steps leaves no live key.
   */
  async #issue(owner: KeyOwner, purpose: KeyPurpose, after: string): Promise<PortalKey> {
    for (let number = 1; number <= ISSUES_MAX; number += 1) {
      const idempotencyKey = `portal ${purpose} ${owner.accountId} after ${after} ${number}`;
      const { apiKey } = await this.#request(owner, purpose, idempotencyKey);
      if (apiKey.rawKey !== undefined) return { keyId: apiKey.id, rawKey: apiKey.rawKey };
      await this.#revoke(apiKey.id);
    }
    throw new Unavailable('No key could be made for this account; try again');
  }

  #request(owner: KeyOwner, purpose: KeyPurpose, idempotencyKey: string): Promise<AnswerOf<'issueAccountKey'>> {
    const body = { name: 'portal', permissions: PERMISSIONS[purpose] };
    const request = { params: { id: owner.accountId }, body };
    const once = { idempotencyKey };
    if (purpose !== 'view') return bodyOf(this.apis.operator.call('issueAccountKey', request, once));
    // Only with the owner's key does the API check to whom the sub-account belongs.
    return this.call(own(owner), 'master', (api) => api.call('createSubAccountKey', request, once));
  }
}
