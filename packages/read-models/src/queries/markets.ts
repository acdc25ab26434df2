import type { ReadDb } from '../database.ts';
import type { MarketStatus, Phase } from '../tables.ts';
import type { LevelView, MarketView, OrderBookView, Page } from '../views.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { toMarketView } from './market-row.ts';
import { cutPage } from './page.ts';

/** Levels a side of an order book's answer. */
const BOOK_DEPTH = 200;

export interface MarketFilter {
  readonly status?: MarketStatus | undefined;
  readonly phase?: Phase | undefined;
  readonly sector?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Newest listing first. @throws ApiError validation_failed for a forged cursor. */
export async function listMarkets(db: ReadDb, filter: MarketFilter): Promise<Page<MarketView>> {
  let query = db.selectFrom('markets').selectAll().orderBy('created_seq', 'desc');
  if (filter.status !== undefined) query = query.where('status', '=', filter.status);
  if (filter.phase !== undefined) query = query.where('phase', '=', filter.phase);
  if (filter.sector !== undefined) query = query.where('sector', '=', filter.sector);
  if (filter.cursor !== undefined) {
    const [before] = decodeCursor('markets', filter.cursor);
    query = query.where('created_seq', '<', Number(before));
  }
  const rows = await query.limit(filter.limit + 1).execute();
  const page = cutPage(rows, filter.limit, (row) => encodeCursor('markets', [row.created_seq]));
  return { items: page.items.map(toMarketView), next: page.next };
}

export async function findMarket(db: ReadDb, marketId: string): Promise<MarketView | null> {
  const row = await db.selectFrom('markets').selectAll().where('id', '=', marketId).executeTakeFirst();
  return row === undefined ? null : toMarketView(row);
}

/** The best 200 levels a side in YES terms, best first. Null: no such market. */
export async function findOrderBook(db: ReadDb, marketId: string): Promise<OrderBookView | null> {
  const market = await db
    .selectFrom('markets')
    .select(['seq', 'best_bid', 'best_ask', 'last_trade'])
    .where('id', '=', marketId)
    .executeTakeFirst();
  if (market === undefined) return null;
  return {
    marketId,
    seq: market.seq,
    bids: await levels(db, marketId, 'bid'),
    asks: await levels(db, marketId, 'ask'),
    bestBidUnits: market.best_bid,
    bestAskUnits: market.best_ask,
    lastTradeUnits: market.last_trade,
  };
}

async function levels(db: ReadDb, marketId: string, side: 'bid' | 'ask'): Promise<LevelView[]> {
  return db
    .selectFrom('book_levels')
    .select(['yes_price as priceUnits', 'quantity', 'orders'])
    .where('market_id', '=', marketId)
    .where('side', '=', side)
    .orderBy('yes_price', side === 'bid' ? 'desc' : 'asc')
    .limit(BOOK_DEPTH)
    .execute();
}
