import type { ReadDb } from '../tables.ts';
import { rowsFrom } from '../accounts/rows-after.ts';
import type { Accounts, RowsAfter } from '../accounts/rows-after.ts';

/** The columns of a SettledView, besides the names of its market. */
const SETTLED_COLUMNS = [
  'settlements.id',
  'settlements.market_id as marketId',
  'settlements.outcome',
  'settlements.shares',
  'settlements.payout_units as payoutUnits',
  'settlements.cost_units as costUnits',
  'settlements.at_ms as settledAt',
] as const;

/** The settlements of an account's positions, the last one first. */
export function settlements(db: ReadDb, accountId: string) {
  return db
    .selectFrom('settlements')
    .select(SETTLED_COLUMNS)
    .where('account_id', '=', accountId)
    .orderBy('seq', 'desc');
}

/** Settlements of the given accounts. */
export function settlementsAfter(accounts: Accounts, part: RowsAfter) {
  return rowsFrom('settlements', accounts, part)
    .select(SETTLED_COLUMNS)
    .select(['settlements.seq', 'settlements.account_id as accountId'])
    .select('settlements.cash_after_units as cashAfterUnits');
}

/** Merges of the given accounts. */
export function mergesAfter(accounts: Accounts, part: RowsAfter) {
  return rowsFrom('merges', accounts, part)
    .select(['merges.seq', 'merges.id', 'merges.account_id as accountId', 'merges.market_id as marketId'])
    .select(['merges.quantity', 'merges.at_ms as at', 'merges.cash_after_units as cashAfterUnits']);
}
