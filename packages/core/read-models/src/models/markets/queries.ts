import { BOOK_DEPTH } from '@paper/contracts/markets';
import type { LevelView, OrderBookView } from '@paper/contracts/markets';
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';
import type { ReadDb } from '../tables.ts';
import type { JsonQuery } from '../json-query.ts';
import { toMarketView } from './market-view.ts';
import type { MarketView } from './market-view.ts';
import type { MarketRow } from './table.ts';

/** A market; null: no such market. */
export const marketOf: JsonQuery<MarketRow | null, MarketView | null> = {
  build: (db, marketId) => jsonObjectFrom(db.selectFrom('markets').selectAll().where('id', '=', marketId)),
  answer: (row) => (row === null ? null : toMarketView(row)),
};

/** The best levels of each side in YES terms, best first, as many as an answer shows. Null for an unknown market. */
export const orderBookOf: JsonQuery<OrderBookView | null> = {
  build: (db, marketId) =>
    jsonObjectFrom(
      db
        .selectFrom('markets')
        .select(['id as marketId', 'markets.seq', 'last_trade_units as lastTradeUnits'])
        .select([
          jsonArrayFrom(levels(db, marketId, 'bid')).as('bids'),
          jsonArrayFrom(levels(db, marketId, 'ask')).as('asks'),
        ])
        .where('id', '=', marketId),
    ),
  answer: (book) => book,
};

function levels(db: ReadDb, marketId: string, side: 'bid' | 'ask') {
  return db
    .selectFrom('book_levels')
    .select(['yes_price_units as priceUnits', 'quantity', 'orders'])
    .where('market_id', '=', marketId)
    .where('side', '=', side)
    .orderBy('yes_price_units', side === 'bid' ? 'desc' : 'asc')
    .limit(BOOK_DEPTH)
    .$castTo<LevelView>();
}
