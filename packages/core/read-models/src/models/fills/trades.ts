import { SEQUENCE_MAX } from '@paper/contracts';
import type { RecentTradeView, TradeView } from '@paper/contracts/markets';
import { sql } from 'kysely';
import type { ExpressionBuilder } from 'kysely';
import type { ReadDb, ReadTables } from '../tables.ts';
import type { Page } from '../views.ts';
import { MARKET_NAME } from '../markets/market-view.ts';
import { cutPage } from '../page.ts';

/** A literal in the statement: with a parameter, a plan for any role cannot use the indexes of takers only. */
export const TAKER = sql.lit<'maker' | 'taker'>('taker');

export interface TradeFilter {
  readonly marketId?: string | undefined;
  /** Only trades from this time on, in ms. */
  readonly fromMs?: number | undefined;
  /** Only trades before this time, in ms. */
  readonly toMs?: number | undefined;
  readonly limit: number;
  /** The sequence of the last item of the previous page. */
  readonly after?: number | undefined;
}

/** Trades from the point of view of their takers, newest first. */
export async function listRecentTrades(db: ReadDb, filter: TradeFilter): Promise<Page<RecentTradeView>> {
  let query = selected(db, filter, 'desc')
    .innerJoin('markets', 'markets.id', 'fills.market_id')
    .select(MARKET_NAME)
    .orderBy('fills.seq', 'desc');
  if (filter.after !== undefined) query = query.where('fills.seq', '<', filter.after);
  const rows = await query.limit(filter.limit + 1).execute();
  return cutPage(rows, filter.limit, (row) => row.seq);
}

/** Trades from the point of view of their takers, oldest first. */
export async function listTrades(db: ReadDb, filter: TradeFilter): Promise<Page<TradeView>> {
  let query = selected(db, filter, 'asc').orderBy('fills.seq');
  if (filter.after !== undefined) query = query.where('fills.seq', '>', filter.after);
  const rows = await query.limit(filter.limit + 1).execute();
  return cutPage(rows, filter.limit, (row) => row.seq);
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

export const TRADE_COLUMNS = [
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
