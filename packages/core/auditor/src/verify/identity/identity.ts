import pg from 'pg';
import { Fault } from '../../journal/fault.ts';
import type { AccountFacts, OpenedAccount } from '../names/account-facts.ts';
import { findNamedAccounts } from './named-accounts.ts';
import type { FoundAccounts, NamedAccount } from './named-accounts.ts';

const FINDINGS_MAX = 10;

const RIGHT =
  "in each row an account that the journal opened, which no other person has: the person's own, or for a view key a " +
  'sub-account of it; and a key that was issued for it';

/**
 * Compares the tables of identity, which map people to accounts, with the journal's accounts and keys. A row is stored
 * only after its event, so open this before the journal's end is read.
 */
export class Identity {
  readonly #accounts = new Map<string, OpenedAccount | null>();
  readonly #keys = new Map<string, string | null>();

  private constructor(readonly found: FoundAccounts) {
    for (const { accountId, keyId } of found.rows) {
      this.#accounts.set(accountId, null);
      if (keyId !== null) this.#keys.set(keyId, null);
    }
  }

  static async open(connectionString: string, shard: string): Promise<Identity> {
    const client = new pg.Client({ connectionString });
    // A connection that breaks also fails its query, where the error is handled.
    client.on('error', () => undefined);
    await client.connect();
    try {
      await client.query('begin isolation level repeatable read read only');
      return new Identity(await findNamedAccounts(client, shard));
    } finally {
      await client.end();
    }
  }

  expect({ keys, opened }: AccountFacts): void {
    for (const account of opened) {
      if (this.#accounts.has(account.accountId)) this.#accounts.set(account.accountId, account);
    }
    for (const { accountId, keyId } of keys) if (this.#keys.has(keyId)) this.#keys.set(keyId, accountId);
  }

  /** Judges the rows, after all events up to `end`. @throws Fault that names the first wrong rows. */
  finish(end: number): void {
    const taken = new Set<string>();
    const wrong = this.found.rows.flatMap((named) => {
      const found = this.#faultOf(named, taken);
      return found === null ? [] : [{ named, found: `${named.table} row ${named.row} ${found}` }];
    });
    const [first] = wrong;
    if (first === undefined) return;
    const account = this.#accounts.get(first.named.accountId) ?? null;
    const more = wrong.length > FINDINGS_MAX ? `; and ${wrong.length - FINDINGS_MAX} more` : '';
    const listed = wrong.slice(0, FINDINGS_MAX).map(({ found }) => found);
    throw new Fault('identity', account?.seq ?? end, account?.event ?? null, listed.join('; ') + more, RIGHT);
  }

  #faultOf({ accountId, isOnly, isSub, keyId, ownerId, table }: NamedAccount, taken: Set<string>): string | null {
    const account = this.#accounts.get(accountId) ?? null;
    if (account === null) return `names account ${accountId}, which was never opened`;
    if (isOnly && taken.has(`${table} ${accountId}`)) return `names account ${accountId}, which another row has`;
    taken.add(`${table} ${accountId}`);
    // A withheld owner is unknown, so the row's owner counts.
    const primaryId = account.primaryId === null ? accountId : (account.primaryId ?? ownerId);
    if (primaryId !== ownerId) return `names account ${accountId} of ${primaryId}, and its person has ${ownerId}`;
    const isOwn = accountId === ownerId;
    if (isOwn === isSub) return `names account ${accountId}, which is ${isOwn ? 'not ' : ''}a sub-account`;
    const keyOf = keyId === null ? accountId : (this.#keys.get(keyId) ?? null);
    if (keyOf === accountId) return null;
    return `has a key for account ${accountId} which ${keyOf === null ? 'was never issued' : `is of ${keyOf}`}`;
  }
}
