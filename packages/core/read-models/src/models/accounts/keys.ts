import type { FleetKeyView, KeyView } from '@paper/contracts/accounts';
import type { Mandate } from '@paper/exchange/vocabulary';
import { sql } from 'kysely';
import type { ReadDb } from '../tables.ts';
import { cutPage } from '../page.ts';
import type { Page, PageRequest } from '../page.ts';
import type { Accounts } from './rows-after.ts';

/** A primary account and its sub-accounts. */
export function fleetOf(db: ReadDb, primaryAccountId: string) {
  return db
    .selectFrom('accounts')
    .where((eb) => eb.or([eb('accounts.id', '=', primaryAccountId), eb('primary_account_id', '=', primaryAccountId)]));
}

/**
 * The keys of a primary and its sub-accounts: on the first page all live keys, account by account; then revoked keys,
 * the last revoked first. Only revoked keys count towards a page's limit.
 */
export async function listKeys(db: ReadDb, primaryAccountId: string, filter: PageRequest): Promise<Page<FleetKeyView>> {
  const { after: before = null, limit } = filter;
  const fleet = fleetOf(db, primaryAccountId);
  const live = before === null ? await liveKeysOf(fleet).execute() : [];
  const revoked = await revokedKeysOf(fleet, { before, limit: limit + 1 })
    .orderBy('key.revokedSeq', 'desc')
    .limit(limit + 1)
    .execute();
  const page = cutPage(revoked, limit, ({ revokedSeq }) => revokedSeq ?? 0);
  return { items: [...live, ...page.items].map(withParsedMandate), next: page.next };
}

/** The live keys of these accounts, the oldest of each account first. An account has at most 20. */
export function liveKeysOf(accounts: Accounts) {
  return accounts
    .innerJoin('api_keys', 'api_keys.account_id', 'accounts.id')
    .select(KEY_COLUMNS)
    .where('api_keys.revoked_seq', 'is', null)
    .orderBy('accounts.created_seq')
    .orderBy('api_keys.created_seq');
}

/** The last revoked keys of each of these accounts, revoked before a sequence (null: at any time). */
export function revokedKeysOf(accounts: Accounts, part: { readonly before: number | null; readonly limit: number }) {
  const { before, limit } = part;
  return accounts
    .crossJoinLateral((eb) => {
      const revoked = eb
        .selectFrom('api_keys')
        .select(KEY_COLUMNS)
        .whereRef('api_keys.account_id', '=', 'accounts.id')
        .where('api_keys.revoked_seq', 'is not', null)
        .orderBy('api_keys.revoked_seq', 'desc')
        .limit(limit);
      return (before === null ? revoked : revoked.where('api_keys.revoked_seq', '<', before)).as('key');
    })
    .selectAll('key');
}

/**
 * The account of a key, live or revoked, and that account's primary (null for a primary itself); null if no key ever
 * had this id. Revocations read it here once the exchange no longer has the key in its state.
 */
export async function findKeyOwner(db: ReadDb, keyId: string) {
  const row = await db
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .select(['api_keys.account_id as accountId', 'accounts.primary_account_id as primaryAccountId'])
    .where('api_keys.id', '=', keyId)
    .executeTakeFirst();
  return row ?? null;
}

/** A key, live or revoked; null if no key ever had this id. */
export async function findKey(db: ReadDb, keyId: string): Promise<KeyView | null> {
  const row = await db.selectFrom('api_keys').select(KEY_COLUMNS).where('id', '=', keyId).executeTakeFirst();
  return row === undefined ? null : withParsedMandate(row);
}

/** Parses the column `mandate` of a key. */
export function mandateFromJson(text: string | null): Mandate | null {
  return text === null ? null : (JSON.parse(text) as Mandate);
}

const KEY_COLUMNS = [
  'api_keys.id as keyId',
  'api_keys.account_id as accountId',
  'api_keys.name',
  'api_keys.permissions',
  'api_keys.last4',
  'api_keys.created_at_ms as createdAt',
  'api_keys.created_seq as createdSeq',
  'api_keys.revoked_at_ms as revokedAt',
  'api_keys.revoked_seq as revokedSeq',
  'api_keys.mandate',
  // The day of the last use is outside the schemas of read models, as display names are.
  sql<string | null>`(
    select to_char(used_on, 'YYYY-MM-DD') from coordination.key_uses where key_id = api_keys.id
  )`.as('lastUsedOn'),
] as const;

/** A key's row with the JSON of its mandate parsed. */
export function withParsedMandate<Row extends { readonly mandate: string | null }>(row: Row) {
  return { ...row, mandate: mandateFromJson(row.mandate) };
}
