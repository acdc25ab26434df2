import { BOOK_DEPTH } from '@paper/contracts/markets';
import type { LevelView, OrderBookView } from '@paper/contracts/markets';
import type { Selectable } from 'kysely';
import type { ReadDb, ReadTables } from '../../models/tables.ts';
import { BOOK_EVERY, parseBookText } from '../../models/books/book-text.ts';

type Moment = Selectable<ReadTables['market_history']>;
type Level = Omit<LevelView, 'priceUnits'>;

/** A market's book just after an event, in the form of `orderBookOf`. Null if the market was not listed by then. */
export async function findOrderBookAsOf(db: ReadDb, marketId: string, seq: number): Promise<OrderBookView | null> {
  // One of these rows has a whole book, unless the rows are the market's whole history.
  const newestFirst = await db
    .selectFrom('market_history')
    .selectAll()
    .where('market_id', '=', marketId)
    .where('seq', '<=', seq)
    .orderBy('seq', 'desc')
    .limit(BOOK_EVERY)
    .execute();
  const [newest] = newestFirst;
  if (newest === undefined) return null;
  const { bids, asks } = levelsAfter(newestFirst);
  return {
    marketId,
    seq: newest.seq,
    bids: best(bids, (a, b) => b - a),
    asks: best(asks, (a, b) => a - b),
    lastTradeUnits: newest.last_trade_units,
  };
}

/** The levels by price, each from the newest row with that price, the others from the last whole book before. */
function levelsAfter(newestFirst: readonly Moment[]) {
  const bids = new Map<number, Level>();
  const asks = new Map<number, Level>();
  const add = (
    side: Map<number, Level>,
    priceUnits: number | null,
    quantity: number | null,
    orders: number | null,
  ): void => {
    if (priceUnits !== null && !side.has(priceUnits)) {
      side.set(priceUnits, { quantity: quantity ?? 0, orders: orders ?? 0 });
    }
  };
  for (const moment of newestFirst) {
    if (moment.book !== null) {
      const [bidLevels, askLevels] = parseBookText(moment.book);
      for (const level of bidLevels) add(bids, ...level);
      for (const level of askLevels) add(asks, ...level);
      break;
    }
    add(bids, moment.bid_price_units, moment.bid_quantity, moment.bid_orders);
    add(asks, moment.ask_price_units, moment.ask_quantity, moment.ask_orders);
    // A level that an order left is on the only side that changed.
    const leftSide = moment.bid_price_units === null ? asks : bids;
    add(leftSide, moment.left_price_units, moment.left_quantity, moment.left_orders);
  }
  return { bids, asks };
}

function best(side: ReadonlyMap<number, Level>, byPrice: (a: number, b: number) => number): LevelView[] {
  return [...side]
    .filter(([, { quantity }]) => quantity > 0)
    .sort(([a], [b]) => byPrice(a, b))
    .slice(0, BOOK_DEPTH)
    .map(([priceUnits, level]) => ({ priceUnits, ...level }));
}
