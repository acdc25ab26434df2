import { int2, int8, nullable, text } from '@paper/pg-bulk';
import { table } from '../../engine/table.ts';
import type { Row } from '../../engine/table.ts';
import { CANDLE_COLUMNS } from './candle-columns.ts';

/** Each market at the end of each minute with an event. Totals: the difference of two rows is a window's. */
export const MARKET_MINUTES = table(
  'market_minutes',
  {
    market_id: text(),
    minute_ms: int8,
    volume_shares: int8,
    trades: int8,
    probability_half_units: int8,
    last_trade_units: nullable(int2),
    best_bid_units: nullable(int2),
    best_ask_units: nullable(int2),
    ...CANDLE_COLUMNS,
  },
  ['market_id', 'minute_ms'],
);

/** The totals of all markets, for each minute with a fill. */
export const MINUTES = table('minutes', { minute_ms: int8, volume_shares: int8, trades: int8 }, ['minute_ms']);

export type MarketMinuteRow = Row<typeof MARKET_MINUTES>;
export type MinuteRow = Row<typeof MINUTES>;
