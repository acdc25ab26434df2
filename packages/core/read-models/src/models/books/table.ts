import type { Phase } from '@paper/exchange/vocabulary';
import { int8, nullable, text } from '@paper/pg-bulk';
import { table } from '../../engine/table.ts';
import type { Row } from '../../engine/table.ts';

/** Every 16th event of a market is indexed by its number and by its time. */
export const INDEXED_EVERY = 16;

/** Whether a row of `market_history` is indexed (SQL). Other rows are found from the indexed row before them. */
export const IS_INDEXED = `event_number % ${INDEXED_EVERY} = 1`;

/** The levels of the books in YES terms; a level without shares has no row. */
export const BOOK_LEVELS = table(
  'book_levels',
  { market_id: text(), side: text<'bid' | 'ask'>(), yes_price_units: int8, quantity: int8, orders: int8 },
  ['market_id', 'side', 'yes_price_units'],
  { checks: ['quantity > 0', 'orders > 0'] },
);

/**
 * Each market just after each of its events, with the level that the event changed on each side of the book: its price,
 * and its quantity afterwards (0 if it is empty). A replaced order may move from one level to another of its side; then
 * `left_…` is the level that it left, and the other side is unchanged.
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
    /** The market's new title; null if the event does not change it. */
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
      { on: `(market_id, at_ms, seq) where ${IS_INDEXED}` },
      { on: `(market_id, event_number) where ${IS_INDEXED}` },
    ],
  },
);

export type LevelRow = Row<typeof BOOK_LEVELS>;
export type HistoryRow = Row<typeof MARKET_HISTORY>;
