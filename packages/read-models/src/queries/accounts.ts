import type { Permission } from '@paper/exchange';
import { sql } from 'kysely';
import type { ReadDb } from '../database.ts';
import type { KeyView, SubAccountView, Worth } from '../views.ts';

/** Whose a key is and what it may do. */
export interface Authenticated {
  readonly accountId: string;
  readonly keyId: string;
  readonly permissions: readonly Permission[];
  readonly primaryAccountId: string | null;
}

/** Live keys only. `keyHash`: SHA-256 (hex) of the raw key. */
export async function authenticate(db: ReadDb, keyHash: string): Promise<Authenticated | null> {
  const row = await db
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .select([
      'api_keys.account_id as accountId',
      'api_keys.id as keyId',
      'api_keys.permissions as permissions',
      'accounts.primary_account_id as primaryAccountId',
    ])
    .where('api_keys.key_hash', '=', keyHash)
    .where('api_keys.revoked_at', 'is', null)
    .executeTakeFirst();
  return row ?? null;
}

/** A primary's sub-accounts, oldest first, each with its keys and its worth. */
export async function listSubAccounts(db: ReadDb, primaryAccountId: string): Promise<readonly SubAccountView[]> {
  const accounts = await accountsWithWorth(db)
    .where('accounts.primary_account_id', '=', primaryAccountId)
    .orderBy('accounts.created_seq')
    .execute();
  const keys = await db
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .select([
      'api_keys.id as keyId',
      'api_keys.account_id as accountId',
      'api_keys.name as name',
      'api_keys.permissions as permissions',
      'api_keys.last4 as last4',
      'api_keys.created_at as createdAt',
      'api_keys.revoked_at as revokedAt',
    ])
    .where('accounts.primary_account_id', '=', primaryAccountId)
    .orderBy('api_keys.created_seq')
    .execute();
  const keysOf = new Map<string, KeyView[]>(accounts.map((account) => [account.id, []]));
  for (const key of keys) keysOf.get(key.accountId)?.push(key);
  return accounts.map((account) => ({
    accountId: account.id,
    primaryAccountId,
    displayName: account.display_name,
    createdAt: account.created_at,
    permissions: account.permissions,
    startingBalanceUnits: account.starting_balance,
    ...worth(account.cash, account.positions_value_half, account.starting_balance),
    keys: keysOf.get(account.id) ?? [],
  }));
}

/** Accounts beside what their positions are worth at their markets' marks, in half units. */
export function accountsWithWorth(db: ReadDb) {
  return db
    .selectFrom('accounts')
    .selectAll('accounts')
    .select((eb) =>
      eb
        .selectFrom('positions')
        .innerJoin('markets', 'markets.id', 'positions.market_id')
        .whereRef('positions.account_id', '=', 'accounts.id')
        .select(
          sql<number>`coalesce(sum(positions.yes_shares * markets.probability_half
            + positions.no_shares * (20000 - markets.probability_half)), 0)::int8`.as('value'),
        )
        .as('positions_value_half'),
    )
    .$narrowType<{ positions_value_half: number }>();
}

export function worth(cashUnits: number, positionsValueHalfUnits: number, startingBalanceUnits: number): Worth {
  const portfolioValueHalfUnits = 2 * cashUnits + positionsValueHalfUnits;
  return {
    cashUnits,
    positionsValueHalfUnits,
    portfolioValueHalfUnits,
    pnlHalfUnits: portfolioValueHalfUnits - 2 * startingBalanceUnits,
  };
}
