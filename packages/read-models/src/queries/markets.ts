import { BOOK_DEPTH } from '@paper/contracts';
import type { LevelView, MarketStatus, OrderBookView, Phase } from '@paper/contracts';
import type { ReadDb } from '../schema/database.ts';
import type { MarketView, Page } from './views.ts';
import { toMarketView } from './market-row.ts';
import { cutPage } from './page.ts';

export interface MarketFilter {
  readonly status?: MarketStatus | undefined;
  readonly phase?: Phase | undefined;
  readonly sector?: string | undefined;
  readonly limit: number;
  /** The sequence of the last item of the page before. */
  readonly after?: number | undefined;
}

/** Newest listing first. */
export async function listMarkets(db: ReadDb, filter: MarketFilter): Promise<Page<MarketView>> {
  let query = db.selectFrom('markets').selectAll().orderBy('created_seq', 'desc');
  if (filter.status !== undefined) query = query.where('status', '=', filter.status);
  if (filter.phase !== undefined) query = query.where('phase', '=', filter.phase);
  if (filter.sector !== undefined) query = query.where('sector', '=', filter.sector);
  if (filter.after !== undefined) query = query.where('created_seq', '<', filter.after);
  const rows = await query.limit(filter.limit + 1).execute();
  const page = cutPage(rows, filter.limit, (row) => row.created_seq);
  return { items: page.items.map(toMarketView), next: page.next };
}

export async function findMarket(db: ReadDb, marketId: string): Promise<MarketView | null> {
  const row = await db.selectFrom('markets').selectAll().where('id', '=', marketId).executeTakeFirst();
  return row === undefined ? null : toMarketView(row);
}

/** The best levels of each side, as many as an answer shows, in YES terms, best first. Null: no such market. */
export async function findOrderBook(db: ReadDb, marketId: string): Promise<OrderBookView | null> {
  const market = await db
    .selectFrom('markets')
    .select(['seq', 'last_trade_units'])
    .where('id', '=', marketId)
    .executeTakeFirst();
  if (market === undefined) return null;
  return {
    marketId,
    seq: market.seq,
    bids: await levels(db, marketId, 'bid'),
    asks: await levels(db, marketId, 'ask'),
    lastTradeUnits: market.last_trade_units,
  };
}

async function levels(db: ReadDb, marketId: string, side: 'bid' | 'ask'): Promise<LevelView[]> {
  return db
    .selectFrom('book_levels')
    .select(['yes_price_units as priceUnits', 'quantity', 'orders'])
    .where('market_id', '=', marketId)
    .where('side', '=', side)
    .orderBy('yes_price_units', side === 'bid' ? 'desc' : 'asc')
    .limit(BOOK_DEPTH)
    .execute();
}
