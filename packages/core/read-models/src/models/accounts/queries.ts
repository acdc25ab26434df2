import { shownName } from '@paper/contracts';
import type { KeyCaller } from '@paper/contracts';
import type { KeyHolder, KeyView, SubAccountView } from '@paper/contracts/accounts';
import { sql } from 'kysely';
import { jsonObjectFrom } from 'kysely/helpers/postgres';
import type { ReadDb } from '../tables.ts';
import type { JsonQuery } from '../json-query.ts';
import { displayNameOf } from './display-name.ts';
import { liveKeysOf, mandateFromJson, revokedKeysOf, withParsedMandate } from './keys.ts';

/** The owner of a live key, by its SHA-256 (hex); null for an unknown key. */
export const ownerOfKey: JsonQuery<Omit<KeyCaller, 'kind'> | null> = {
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

interface KeyHolderRow extends Omit<KeyHolder, 'displayName' | 'primaryAccountId' | 'mandate'> {
  readonly primaryAccountId: string | null;
  readonly displayName: string | null;
  readonly mandate: string | null;
  readonly primaryApproved: boolean | null;
}

/** The account and the key behind a request, by the key's id; null for an unknown key. */
export const meOf: JsonQuery<KeyHolderRow | null, KeyHolder | null> = {
  build: (db, keyId) =>
    jsonObjectFrom(
      db
        .selectFrom('api_keys')
        .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
        .leftJoin('accounts as primary', 'primary.id', 'accounts.primary_account_id')
        .crossJoin('settings')
        .select(['accounts.id as accountId', 'accounts.primary_account_id as primaryAccountId'])
        .select(displayNameOf().as('displayName'))
        .select(['api_keys.id as keyId', 'api_keys.name as keyName', 'api_keys.permissions', 'mandate'])
        .select(['spent_day as spentDay', 'spent_units as spentUnits', 'compliance_mode as complianceMode'])
        .select(['accounts.approved', 'primary.approved as primaryApproved'])
        .where('api_keys.id', '=', keyId),
    ),
  answer: (found) => {
    if (found === null) return null;
    const { primaryApproved, ...holder } = found;
    return {
      ...holder,
      displayName: shownName(holder.accountId, holder.displayName),
      primaryAccountId: holder.primaryAccountId ?? holder.accountId,
      mandate: mandateFromJson(holder.mandate),
      approved: holder.complianceMode !== 'kyc' || holder.approved || primaryApproved === true,
    };
  },
};

/** The time at which an account's dead-man switch cancels its orders; null while it is off. */
export const cancelsAtOf: JsonQuery<number | null> = {
  build: (db, accountId) =>
    sql<number | null>`to_json(${db.selectFrom('accounts').select('cancels_at_ms').where('id', '=', accountId)})`,
  answer: (found) => found,
};

/** The most revoked keys of a sub-account that are listed after its live ones. */
const REVOKED_KEYS = 3;

/** A primary's sub-accounts, oldest first, each with its worth, its live keys and its last revoked ones. */
export async function listSubAccounts(db: ReadDb, primaryAccountId: string): Promise<readonly SubAccountView[]> {
  const accounts = await accountsWithWorth(db)
    .where('accounts.primary_account_id', '=', primaryAccountId)
    .select(['accounts.id as accountId', 'accounts.created_at_ms as createdAt', 'accounts.permissions'])
    .select(displayNameOf().as('displayName'))
    .select(sql<boolean>`accounts.closed_seq is not null`.as('isClosed'))
    .orderBy('accounts.created_seq')
    .execute();
  const subAccounts = db.selectFrom('accounts').where('primary_account_id', '=', primaryAccountId);
  const keys = [
    ...(await liveKeysOf(subAccounts).execute()),
    ...(await revokedKeysOf(subAccounts, { before: null, limit: REVOKED_KEYS }).execute()),
  ].sort((a, b) => a.createdSeq - b.createdSeq);
  const keysOf = new Map<string, KeyView[]>(accounts.map(({ accountId }) => [accountId, []]));
  for (const key of keys) keysOf.get(key.accountId)?.push(withParsedMandate(key));
  return accounts.map((account) => ({
    ...account,
    displayName: shownName(account.accountId, account.displayName),
    keys: keysOf.get(account.accountId) ?? [],
  }));
}

/** A position's worth at its market's present probability, for a query that joins both tables. */
export const WORTH_HALF_UNITS = sql.raw<number>(
  'yes_shares * probability_half_units + no_shares * (20000 - probability_half_units)',
);

/** The number of outcomes of which a position has shares, 0 to 2. */
export const OPEN_SIDES = sql.raw<number>('(yes_shares > 0)::int4 + (no_shares > 0)::int4');

/** The AmountsView of accounts: cash, and the worth of positions at the markets' present probabilities. */
export function accountsWithWorth(db: ReadDb) {
  return db
    .selectFrom('accounts')
    .select(['accounts.cash_units as cashUnits', 'accounts.starting_balance_units as startingBalanceUnits'])
    .select((eb) =>
      eb
        .selectFrom('positions')
        .innerJoin('markets', 'markets.id', 'positions.market_id')
        .whereRef('positions.account_id', '=', 'accounts.id')
        .select(sql<number>`coalesce(sum(${WORTH_HALF_UNITS}), 0)::int8`.as('value'))
        .as('positionsHalfUnits'),
    )
    .$narrowType<{ positionsHalfUnits: number }>();
}

/** The primary of a sub-account; null for a primary, and where there is no such account. */
export async function primaryOf(db: ReadDb, accountId: string): Promise<string | null> {
  const query = db.selectFrom('accounts').select('primary_account_id').where('id', '=', accountId);
  const account = await query.executeTakeFirst();
  return account?.primary_account_id ?? null;
}
