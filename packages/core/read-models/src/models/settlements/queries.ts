import type { SelectQueryBuilder } from 'kysely';
import type { ReadDb, ReadTables } from '../tables.ts';

const SETTLED = [
  'settlements.id',
  'settlements.market_id as marketId',
  'settlements.outcome',
  'settlements.shares',
  'settlements.payout_units as payoutUnits',
  'settlements.cost_units as costUnits',
  'settlements.at_ms as settledAt',
] as const;

type Accounts = SelectQueryBuilder<ReadTables, 'accounts', object>;

/** The settlements of an account's positions, the last one first. */
export function settlements(db: ReadDb, accountId: string) {
  return db.selectFrom('settlements').select(SETTLED).where('account_id', '=', accountId).orderBy('seq', 'desc');
}

/** Settlements of the given accounts after a sequence, read account by account as in `fillsAfter`. */
export function settlementsAfter(accounts: Accounts, after: number, limit: number) {
  return accounts
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('settlements')
          .select(SETTLED)
          .select(['settlements.seq', 'settlements.account_id as accountId'])
          .select('settlements.cash_after_units as cashAfterUnits')
          .whereRef('settlements.account_id', '=', 'accounts.id')
          .where('settlements.seq', '>', after)
          .orderBy('settlements.seq')
          .limit(limit)
          .as('settlement'),
      (join) => join.onTrue(),
    )
    .selectAll('settlement')
    .orderBy('settlement.seq')
    .limit(limit);
}

/** Merges of the given accounts after a sequence, read account by account as in `fillsAfter`. */
export function mergesAfter(accounts: Accounts, after: number, limit: number) {
  return accounts
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('merges')
          .select(['merges.seq', 'merges.id', 'merges.account_id as accountId', 'merges.market_id as marketId'])
          .select(['merges.quantity', 'merges.at_ms as at', 'merges.cash_after_units as cashAfterUnits'])
          .whereRef('merges.account_id', '=', 'accounts.id')
          .where('merges.seq', '>', after)
          .orderBy('merges.seq')
          .limit(limit)
          .as('merge'),
      (join) => join.onTrue(),
    )
    .selectAll('merge')
    .orderBy('merge.seq')
    .limit(limit);
}
