import { SEQUENCE_MAX } from '@paper/contracts';
import type { RecentTradeView, TradeView } from '@paper/contracts/markets';
import type { FillView } from '@paper/contracts/orders';
import { sql } from 'kysely';
import type { ExpressionBuilder } from 'kysely';
import type { ReadDb, ReadTables } from '../tables.ts';
import { rowsFrom } from '../accounts/rows-after.ts';
import type { Accounts, RowsAfter } from '../accounts/rows-after.ts';
import { MARKET_NAME } from '../markets/market-view.ts';
import { readPage } from '../page.ts';
import type { Page, PageRequest, TimeRange } from '../page.ts';

const TRADE_COLUMNS = [
  'fills.id',
  'fills.market_id as marketId',
  'fills.seq',
  'fills.outcome',
  'fills.side',
  'fills.price_units as priceUnits',
  'fills.quantity',
  'fills.kind',
  'fills.at_ms as createdAt',
] as const;

/** The columns of a FillView, besides the names of its market. */
const FILL_COLUMNS = [...TRADE_COLUMNS, 'fills.order_id as orderId', 'fills.role'] as const;

/** Fills of the given accounts. */
export function fillsAfter(accounts: Accounts, part: RowsAfter) {
  return rowsFrom('fills', accounts, part)
    .select(FILL_COLUMNS)
    .select(['fills.account_id as accountId', 'fills.cash_after_units as cashAfterUnits']);
}

/** The fills of the account, newest first. */
export function listFills(
  db: ReadDb,
  accountId: string,
  filter: Omit<TradeFilter, keyof TimeRange>,
): Promise<Page<FillView>> {
  let query = db
    .selectFrom('fills')
    .innerJoin('markets', 'markets.id', 'fills.market_id')
    .select(FILL_COLUMNS)
    .select(MARKET_NAME)
    .where('fills.account_id', '=', accountId)
    .orderBy('fills.seq', 'desc');
  if (filter.marketId !== undefined) query = query.where('fills.market_id', '=', filter.marketId);
  if (filter.after !== undefined) query = query.where('fills.seq', '<', filter.after);
  return readPage(query, filter.limit, (row) => row.seq);
}

/** A literal in the statement: with a parameter, a plan for any role cannot use the indexes of takers only. */
export const TAKER = sql.lit<'maker' | 'taker'>('taker');

export interface TradeFilter extends PageRequest, TimeRange {
  readonly marketId?: string | undefined;
}

/** Trades from the point of view of their takers, newest first. */
export function listRecentTrades(db: ReadDb, filter: TradeFilter): Promise<Page<RecentTradeView>> {
  let query = selected(db, filter, 'desc')
    .innerJoin('markets', 'markets.id', 'fills.market_id')
    .select(MARKET_NAME)
    .orderBy('fills.seq', 'desc');
  if (filter.after !== undefined) query = query.where('fills.seq', '<', filter.after);
  return readPage(query, filter.limit, (row) => row.seq);
}

/** Trades from the point of view of their takers, oldest first. */
export function listTrades(db: ReadDb, filter: TradeFilter): Promise<Page<TradeView>> {
  let query = selected(db, filter, 'asc').orderBy('fills.seq');
  if (filter.after !== undefined) query = query.where('fills.seq', '>', filter.after);
  return readPage(query, filter.limit, (row) => row.seq);
}

/** The trades that a filter selects. The trades of one market are in the order of that market's index. */
function selected(db: ReadDb, { fromMs, marketId, toMs }: TradeFilter, order: 'asc' | 'desc') {
  let query = db.selectFrom('fills').select(TRADE_COLUMNS).where('fills.role', '=', TAKER);
  // In the order of sequences alone, Postgres would go through the trades of all markets. It ignores an order by a
  // column that equals a single value, so the value is in an array.
  if (marketId !== undefined) {
    query = query
      .where('fills.market_id', '=', sql<string>`any(${[marketId]}::text[])`)
      .orderBy('fills.market_id', order);
  }
  // Event times never decrease, so a range of times is a range of sequences.
  if (fromMs !== undefined) query = query.where('fills.seq', '>=', (eb) => firstSince(eb, fromMs));
  if (toMs !== undefined) {
    query = query.where('fills.seq', '<', (eb) => eb.fn.coalesce(firstSince(eb, toMs), sql.lit(SEQUENCE_MAX)));
  }
  return query;
}

/** The sequence of the first trade at or after a time, in ms; null if there is none. */
function firstSince(eb: ExpressionBuilder<ReadTables, 'fills'>, atMs: number) {
  return eb
    .selectFrom('fills as since')
    .select('since.seq')
    .where('since.role', '=', TAKER)
    .where('since.at_ms', '>=', atMs)
    .orderBy('since.at_ms')
    .orderBy('since.seq')
    .limit(1);
}
