import { Unavailable } from '@paper/contracts';
import type { Permission } from '@paper/contracts';
import { FairSlots } from '@paper/http';
import type { Logger } from '@paper/runtime';
import { sql } from 'kysely';
import { refusalIn } from 'paper-trading-client';
import type { AnswerOf } from 'paper-trading-client';
import type { PortalDatabase } from '../base/database.ts';
import type { AccountKeysTable, Person } from '../base/schema.ts';
import { bodyOf, isKeyRefused, outcomeOf } from './api.ts';
import type { Api, Apis } from './api.ts';
import { SealBroken } from '../base/vault.ts';
import type { Vault } from '../base/vault.ts';

export type KeyPurpose = AccountKeysTable['purpose'];

/** The name of the portal's keys in lists. */
export const PORTAL_KEY_NAME = 'portal';

/**
 * The permissions of stored keys. The second key makes keys for sub-accounts, and a key can grant only what it has
 * itself.
 */
const PERMISSIONS: Readonly<Record<KeyPurpose, Permission[]>> = {
  everyday: ['view', 'trade'],
  master: ['view', 'trade', 'master', 'reconcile'],
  view: ['view'],
};

/** A person with their account, and the account that a key is for: the person's own or a sub-account of it. */
export interface KeyOwner {
  readonly personId: string;
  readonly primaryId: string;
  readonly accountId: string;
}

/** A stored key. */
export interface PortalKey {
  readonly keyId: string;
  readonly rawKey: string;
}

/** The days without use after which a view key of a sub-account is revoked. */
const VIEW_KEY_DAYS = 30;

/** The most keys that are issued in a row without receiving a raw key: then something is wrong. */
const ISSUES_MAX = 10;

/** The person's own account, as the owner of keys. @throws Error for a person without an account. */
export function ownAccount({ id, account_id: accountId }: Person): KeyOwner {
  if (accountId === null) throw new Error(`person ${id} has no account`);
  return { personId: id, primaryId: accountId, accountId };
}

function own(owner: KeyOwner): KeyOwner {
  return { ...owner, accountId: owner.primaryId };
}

/**
 * The keys with which the portal calls the API for people. They are stored encrypted, bound to account and key id. A
 * revoked key is replaced when it is needed.
 */
export class PortalKeys {
  /** Renewals in progress, by account and purpose. */
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
   * Calls the API with a stored key. If the key is missing or was revoked, makes a new one and calls again.
   * @throws ApiError or Unavailable when no key can be made, and the errors of the work.
   */
  async use<T extends { readonly status: number }>(
    owner: KeyOwner,
    purpose: KeyPurpose,
    work: (key: string) => Promise<T>,
  ): Promise<T> {
    const key = await this.get(owner, purpose);
    const answer = await work(key.rawKey);
    if (!isKeyRefused(answer)) return answer;
    const renewed = await this.renew(owner, purpose, key.keyId);
    return work(renewed.rawKey);
  }

  /** Makes a call of the API with this key. @throws as `use`, and ApiError when the API refuses. */
  async call<T>(owner: KeyOwner, purpose: KeyPurpose, work: (api: Api) => Promise<T>): Promise<T> {
    const { call } = await this.use(owner, purpose, (key) => outcomeOf(work(this.apis.as(key))));
    return bodyOf(call);
  }

  /** The stored key; made if there is none. */
  async get(owner: KeyOwner, purpose: KeyPurpose): Promise<PortalKey> {
    const found = await this.#stored(owner, purpose);
    if (found === null) return this.renew(owner, purpose, null);
    const rawKey = this.#opened(owner, found);
    return rawKey === null ? this.renew(owner, purpose, found.key_id) : { keyId: found.key_id, rawKey };
  }

  /**
   * Makes a key in place of one that does not work, unless another request or portal has done so.
   * @param failed the id of the key that does not work; null if there was none.
   */
  renew(owner: KeyOwner, purpose: KeyPurpose, failed: string | null): Promise<PortalKey> {
    const name = `${owner.accountId} ${purpose}`;
    const running = this.#renewals.get(name);
    if (running !== undefined) return running;
    const renewal = this.#renewInTurn(owner, purpose, failed).finally(() => this.#renewals.delete(name));
    this.#renewals.set(name, renewal);
    return renewal;
  }

  async #renewInTurn(owner: KeyOwner, purpose: KeyPurpose, failed: string | null): Promise<PortalKey> {
    // Renews the second key first if it is needed and was revoked too, since that must not happen while a turn is
    // taken.
    if (purpose === 'view') await this.call(own(owner), 'master', (api) => api.call('getMe', {}));
    const lane = { fleet: owner.personId, account: owner.personId };
    return this.#turns.use(lane, new AbortController().signal, () => this.#renew(owner, purpose, failed));
  }

  /** The ids of the stored keys of a person. */
  async idsOf(personId: string): Promise<ReadonlySet<string>> {
    const rows = await this.db.selectFrom('account_keys').select('key_id').where('person_id', '=', personId).execute();
    return new Set(rows.map((row) => row.key_id));
  }

  /**
   * Revokes view keys of sub-accounts that were not used for 30 days. The portal revokes them as the operator that opened
   * the account: the keys of a person whose account was closed can do nothing any more.
   */
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

  /** Encrypts a key and stores it in place of an older one. */
  async #store(db: PortalDatabase, owner: KeyOwner, purpose: KeyPurpose, { keyId, rawKey }: PortalKey): Promise<void> {
    const row = { key_id: keyId, sealed: this.vault.seal(rawKey, owner.accountId, keyId) };
    const { personId: person_id, accountId: account_id } = owner;
    await db
      .insertInto('account_keys')
      .values({ ...row, person_id, account_id, purpose })
      .onConflict((conflict) =>
        conflict
          .columns(['account_id', 'purpose'])
          .doUpdateSet({ ...row, created_at: sql<Date>`now()`, last_used_at: sql<Date>`now()` }),
      )
      .execute();
  }

  async #stored({ accountId, personId }: KeyOwner, purpose: KeyPurpose) {
    const row = await this.db
      .selectFrom('account_keys')
      .select(['key_id', 'sealed', sql<boolean>`last_used_at < now() - interval '1 day'`.as('is_unnoted')])
      .where('account_id', '=', accountId)
      .where('person_id', '=', personId)
      .where('purpose', '=', purpose)
      .executeTakeFirst();
    if (row === undefined) return null;
    if (row.is_unnoted) {
      await this.db
        .updateTable('account_keys')
        .set({ last_used_at: sql<Date>`now()` })
        .where('key_id', '=', row.key_id)
        .execute();
    }
    return row;
  }

  /** The raw key of a row; null if its secret is lost. A key under an older secret is encrypted again. */
  #opened({ accountId }: KeyOwner, { key_id: keyId, sealed }: { readonly key_id: string; readonly sealed: Buffer }) {
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

  async #renew(owner: KeyOwner, purpose: KeyPurpose, failed: string | null): Promise<PortalKey> {
    const renewed = await this.db.transaction().execute(async (db) => {
      // Only one portal at a time makes this key.
      await sql`select pg_advisory_xact_lock(hashtextextended(${`portal key ${owner.accountId} ${purpose}`}, 0))`.execute(
        db,
      );
      const found = await db
        .selectFrom('account_keys')
        .select(['key_id', 'sealed'])
        .where('account_id', '=', owner.accountId)
        .where('person_id', '=', owner.personId)
        .where('purpose', '=', purpose)
        .executeTakeFirst();
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

  /**
   * Revokes a key whose secret is lost, since it must not stay alive. A key that is already revoked stays so.
   * @returns whether the key is revoked, or unknown to the API.
   */
  async #revoke(keyId: string): Promise<boolean> {
    try {
      await this.apis.operator.call('revokeAccountKey', { params: { keyId } });
      return true;
    } catch (error) {
      const refusal = refusalIn(error);
      if (refusal === null) throw error;
      const { status } = refusal;
      if (status === 404) return true;
      this.logger.warn({ keyId, status }, 'an old key could not be revoked');
      return false;
    }
  }

  /**
   * Issues a key. The answer to an earlier request may have been lost: then the replay has no raw key, that key is
   * revoked, and another one is issued. The Idempotency-Keys depend only on `after`, so that a crash between two steps
   * leaves no live key.
   */
  async #issue(owner: KeyOwner, purpose: KeyPurpose, after: string): Promise<PortalKey> {
    for (let number = 1; number <= ISSUES_MAX; number += 1) {
      const idempotencyKey = `portal ${purpose} ${owner.accountId} after ${after} ${number}`;
      const { apiKey } = await this.#ask(owner, purpose, idempotencyKey);
      if (apiKey.rawKey !== undefined) return { keyId: apiKey.id, rawKey: apiKey.rawKey };
      await this.#revoke(apiKey.id);
    }
    throw new Unavailable('No key could be made for this account; try again');
  }

  #ask(owner: KeyOwner, purpose: KeyPurpose, idempotencyKey: string): Promise<AnswerOf<'issueAccountKey'>> {
    const request = {
      params: { id: owner.accountId },
      body: { name: PORTAL_KEY_NAME, permissions: PERMISSIONS[purpose] },
    };
    const once = { idempotencyKey };
    if (purpose !== 'view') return bodyOf(this.apis.operator.call('issueAccountKey', request, once));
    // Only with the owner's key does the API check to whom the sub-account belongs.
    return this.call(own(owner), 'master', (api) => api.call('createSubAccountKey', request, once));
  }
}
