import { BOOK_DEPTH } from '@paper/contracts';
import type { LevelView, OrderBookView } from '@paper/contracts';
import type { ReadDb } from '../schema/database.ts';
import type { MarketView } from './views.ts';
import { toMarketView } from './market-row.ts';

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
