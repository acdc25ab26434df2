import type { FillView } from '@paper/contracts/orders';
import type { SelectQueryBuilder } from 'kysely';
import type { ReadDb, ReadTables } from '../tables.ts';
import type { Page } from '../views.ts';
import { MARKET_NAME } from '../markets/market-view.ts';
import { cutPage } from '../page.ts';
import { TRADE_COLUMNS } from './trades.ts';

export interface FillFilter {
  readonly marketId?: string | undefined;
  readonly limit: number;
  /** The sequence of the last item of the previous page. */
  readonly after?: number | undefined;
}

/** The columns of a FillView, without its market. */
const FILL = [...TRADE_COLUMNS, 'fills.order_id as orderId', 'fills.role'] as const;

/**
 * Fills of the given accounts after a sequence, read account by account: each from its own index and only as many as
 * the page needs. With one condition for all accounts, Postgres would sort all their fills for each page.
 */
export function fillsAfter(accounts: SelectQueryBuilder<ReadTables, 'accounts', object>, after: number, limit: number) {
  return accounts
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('fills')
          .select(FILL)
          .select(['fills.account_id as accountId', 'fills.cash_after_units as cashAfterUnits'])
          .whereRef('fills.account_id', '=', 'accounts.id')
          .where('fills.seq', '>', after)
          .orderBy('fills.seq')
          .limit(limit)
          .as('fill'),
      (join) => join.onTrue(),
    )
    .selectAll('fill')
    .orderBy('fill.seq')
    .limit(limit);
}

/** The fills of the account, newest first. */
export async function listFills(db: ReadDb, accountId: string, filter: FillFilter): Promise<Page<FillView>> {
  let query = db
    .selectFrom('fills')
    .innerJoin('markets', 'markets.id', 'fills.market_id')
    .select(FILL)
    .select(MARKET_NAME)
    .where('fills.account_id', '=', accountId)
    .orderBy('fills.seq', 'desc');
  if (filter.marketId !== undefined) query = query.where('fills.market_id', '=', filter.marketId);
  if (filter.after !== undefined) query = query.where('fills.seq', '<', filter.after);
  const rows = await query.limit(filter.limit + 1).execute();
  return cutPage(rows, filter.limit, (row) => row.seq);
}
