import { shownName } from '@paper/contracts';
import type { AmountsView, KeyView, MeView, SubAccountView } from '@paper/contracts';
import type { Permission } from '@paper/exchange';
import { sql } from 'kysely';
import { jsonObjectFrom } from 'kysely/helpers/postgres';
import type { ReadDb } from '../tables.ts';
import type { JsonQuery } from '../json-query.ts';
import { displayNameOf } from './display-name.ts';
import { liveKeysOf, parseMandate, revokedKeysOf, toKeyView } from './keys.ts';

/** The owner of a key, and its permissions. */
export interface Authenticated {
  readonly accountId: string;
  readonly keyId: string;
  readonly permissions: readonly Permission[];
  readonly primaryAccountId: string | null;
}

/** The owner of a live key, by its SHA-256 (hex); null for an unknown key. */
export const ownerOfKey: JsonQuery<Authenticated | null, Authenticated | null> = {
  build: (db, keyHash) =>
    jsonObjectFrom(
      db
        .selectFrom('api_keys')
        .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
        .select([
          'api_keys.account_id as accountId',
          'api_keys.id as keyId',
          'api_keys.permissions as permissions',
          'accounts.primary_account_id as primaryAccountId',
        ])
        .where('api_keys.key_hash', '=', keyHash)
        .where('api_keys.revoked_at_ms', 'is', null),
    ),
  answer: (found) => found,
};

/** A key's owner, its limits, and what it has spent on the day (since 1970 UTC) on which it has spent last. */
export interface KeyHolder extends Omit<MeView, 'spentTodayUnits'> {
  readonly spentDay: number;
  readonly spentUnits: number;
}

interface KeyHolderRow extends Omit<KeyHolder, 'displayName' | 'primaryAccountId' | 'mandate'> {
  readonly primary_account_id: string | null;
  readonly display_name: string | null;
  readonly mandate: string | null;
  readonly primary_approved: boolean | null;
}

/** The account and the key behind a request, by the key's id; null for an unknown key. */
export const meOf: JsonQuery<KeyHolderRow | null, KeyHolder | null> = {
  build: (db, keyId) =>
    jsonObjectFrom(
      db
        .selectFrom('api_keys')
        .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
        .leftJoin('accounts as primary', 'primary.id', 'accounts.primary_account_id')
        .innerJoin('settings', (join) => join.onTrue())
        .select(['accounts.id as accountId', 'accounts.primary_account_id', displayNameOf().as('display_name')])
        .select(['api_keys.id as keyId', 'api_keys.name as keyName', 'api_keys.permissions', 'mandate'])
        .select(['spent_day as spentDay', 'spent_units as spentUnits', 'compliance_mode as complianceMode'])
        .select(['accounts.approved', 'primary.approved as primary_approved'])
        .where('api_keys.id', '=', keyId),
    ),
  answer: (found) => {
    if (found === null) return null;
    const { primary_account_id, display_name, primary_approved, mandate, approved, ...rest } = found;
    return {
      ...rest,
      displayName: shownName(rest.accountId, display_name),
      primaryAccountId: primary_account_id ?? rest.accountId,
      mandate: parseMandate(mandate),
      approved: rest.complianceMode !== 'kyc' || approved || primary_approved === true,
    };
  },
};

/** The time at which an account's dead-man switch cancels its orders; null while it is off. */
export const cancelsAtOf: JsonQuery<number | null, number | null> = {
  build: (db, accountId) =>
    sql<number | null>`to_json(${db.selectFrom('accounts').select('cancels_at_ms').where('id', '=', accountId)})`,
  answer: (found) => found,
};

/** The limit of revoked keys that are listed beside a sub-account's live ones. */
const REVOKED_KEYS = 3;

/**
 * A primary's sub-accounts, oldest first, each with its worth and its keys, oldest first: the live ones and those that
 * were revoked last. All of them are in `listKeys`.
 */
export async function listSubAccounts(db: ReadDb, primaryAccountId: string): Promise<readonly SubAccountView[]> {
  const accounts = await accountsWithWorth(db)
    .where('accounts.primary_account_id', '=', primaryAccountId)
    .select(displayNameOf().as('shown_name'))
    .orderBy('accounts.created_seq')
    .execute();
  const subAccounts = db.selectFrom('accounts').where('primary_account_id', '=', primaryAccountId);
  const keys = [
    ...(await liveKeysOf(subAccounts).execute()),
    ...(await revokedKeysOf(subAccounts, { before: null, limit: REVOKED_KEYS }).execute()),
  ].sort((a, b) => a.created_seq - b.created_seq);
  const keysOf = new Map<string, KeyView[]>(accounts.map((account) => [account.id, []]));
  for (const key of keys) keysOf.get(key.account_id)?.push(toKeyView(key));
  return accounts.map((account) => ({
    accountId: account.id,
    displayName: shownName(account.id, account.shown_name),
    createdAt: account.created_at_ms,
    permissions: account.permissions,
    keys: keysOf.get(account.id) ?? [],
    ...amounts(account),
  }));
}

/** The worth of a position at its market's mark: in a query that joins the two. */
export const WORTH_HALF_UNITS = sql.raw<number>(
  'yes_shares * probability_half_units + no_shares * (20000 - probability_half_units)',
);

/** Accounts, each with the worth of its positions at the markets' marks, in half units. */
export function accountsWithWorth(db: ReadDb) {
  return db
    .selectFrom('accounts')
    .selectAll('accounts')
    .select((eb) =>
      eb
        .selectFrom('positions')
        .innerJoin('markets', 'markets.id', 'positions.market_id')
        .whereRef('positions.account_id', '=', 'accounts.id')
        .select(sql<number>`coalesce(sum(${WORTH_HALF_UNITS}), 0)::int8`.as('value'))
        .as('positions_half_units'),
    )
    .$narrowType<{ positions_half_units: number }>();
}

export function amounts(row: {
  readonly cash_units: number;
  readonly positions_half_units: number;
  readonly starting_balance_units: number;
}): AmountsView {
  return {
    cashUnits: row.cash_units,
    positionsHalfUnits: row.positions_half_units,
    startingBalanceUnits: row.starting_balance_units,
  };
}

/** The primary of a sub-account; null for a primary, and where there is no such account. */
export async function primaryOf(db: ReadDb, accountId: string): Promise<string | null> {
  const row = await db
    .selectFrom('accounts')
    .select('primary_account_id')
    .where('id', '=', accountId)
    .executeTakeFirst();
  return row?.primary_account_id ?? null;
}
