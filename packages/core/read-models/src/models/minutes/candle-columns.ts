import { CANDLE_PERIODS } from '@paper/contracts/markets';
import type { CandlePeriod } from '@paper/contracts/markets';
import { int2, nullable } from '@paper/pg-bulk';
import type { Column } from '@paper/pg-bulk';

type CandleColumn = `${'open' | 'high' | 'low'}_${CandlePeriod}m_units`;

/** The names of a period's columns. */
export function candleColumns(period: CandlePeriod) {
  return { open: `open_${period}m_units`, high: `high_${period}m_units`, low: `low_${period}m_units` } as const;
}

/** A row's values in the columns of candles. */
export type CandleColumns = { readonly [N in CandleColumn]: number | null };

/** An object with this value for each column of candles. */
export function eachCandleColumn<T>(value: T): Record<CandleColumn, T> {
  const names = CANDLE_PERIODS.flatMap((period) => Object.values(candleColumns(period)));
  return Object.fromEntries(names.map((name) => [name, value])) as Record<CandleColumn, T>;
}

/**
 * Open, high and low of each period's candle that contains a minute, from the candle's start until the minute's end;
 * null before its first trade. So the last row of a period holds its candle, and none is summed from shorter ones.
 */
export const CANDLE_COLUMNS = eachCandleColumn<Column<number | null>>(nullable(int2));
