import type { Phase } from '@paper/exchange/vocabulary';
import { int8, nullable, text } from '@paper/pg-bulk';
import { table } from '../../engine/table.ts';
import type { Row } from '../../engine/table.ts';

/** Every how many events of a market an event is indexed by its number and by its time: such an event is a mark. */
export const MARK_EVERY = 16;

/** Whether a row of `market_history` is a mark (SQL). Any other is a few rows after one, and needs no index. */
export const IS_MARK = `event_number % ${MARK_EVERY} = 1`;

/** The levels of the books in YES terms; a level without shares has no row. */
export const BOOK_LEVELS = table(
  'book_levels',
  { market_id: text(), side: text<'bid' | 'ask'>(), yes_price_units: int8, quantity: int8, orders: int8 },
  ['market_id', 'side', 'yes_price_units'],
  { checks: ['quantity > 0', 'orders > 0'] },
);

/**
 * Each market just after each of its events, with the level that the event changed on each side of the book: its price,
 * and its quantity afterwards (0 if it is empty). Only a replaced order moves from one level to another of its side,
 * the only side that then changes: `left_…` is the level that it left.
 */
export const MARKET_HISTORY = table(
  'market_history',
  {
    market_id: text(),
    seq: int8,
    /** The number of the event among its market's events, from 1. */
    event_number: int8,
    at_ms: int8,
    phase: text<Phase>(),
    probability_half_units: int8,
    last_trade_units: nullable(int8),
    /** Set if the event changes it. */
    title: nullable(text()),
    bid_price_units: nullable(int8),
    bid_quantity: nullable(int8),
    bid_orders: nullable(int8),
    ask_price_units: nullable(int8),
    ask_quantity: nullable(int8),
    ask_orders: nullable(int8),
    left_price_units: nullable(int8),
    left_quantity: nullable(int8),
    left_orders: nullable(int8),
    /** The whole book (`BookText`), stored with every 500th event of the market, which bounds historical reads. */
    book: nullable(text()),
  },
  ['market_id', 'seq'],
  {
    keyedLater: true,
    indexes: [
      { on: '(market_id, seq) where title is not null' },
      { on: `(market_id, at_ms, seq) where ${IS_MARK}` },
      { on: `(market_id, event_number) where ${IS_MARK}` },
    ],
  },
);

export type LevelRow = Row<typeof BOOK_LEVELS>;
export type HistoryRow = Row<typeof MARKET_HISTORY>;
