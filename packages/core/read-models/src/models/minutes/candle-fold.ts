import { MINUTE_MS } from '@paper/contracts/units';
import { CANDLE_PERIODS } from '@paper/contracts/markets';
import { candleColumns, eachCandleColumn } from './candle-columns.ts';
import type { CandleColumns } from './candle-columns.ts';

const PERIODS = CANDLE_PERIODS.map((period) => ({ ms: period * MINUTE_MS, ...candleColumns(period) }));

/** Open, high and low so far of the current candles of one market, one candle of each period (`CANDLE_COLUMNS`). */
export class CandleFold {
  #minuteMs = -1;
  readonly #columns = eachCandleColumn<number | null>(null);

  get columns(): CandleColumns {
    return { ...this.#columns };
  }

  load(row: CandleColumns & { readonly minute_ms: number }): void {
    this.#minuteMs = row.minute_ms;
    for (const { open, high, low } of PERIODS) {
      this.#columns[open] = row[open];
      this.#columns[high] = row[high];
      this.#columns[low] = row[low];
    }
  }

  /** Begins the candles whose first minute this is. Minutes never decrease. */
  enter(minuteMs: number): void {
    for (const { ms, open, high, low } of PERIODS) {
      // The periods are sorted: in all longer periods the minute is in the same candle too.
      if (Math.floor(minuteMs / ms) === Math.floor(this.#minuteMs / ms)) break;
      this.#columns[open] = null;
      this.#columns[high] = null;
      this.#columns[low] = null;
    }
    this.#minuteMs = minuteMs;
  }

  trade(yesPriceUnits: number): void {
    for (const { open, high, low } of PERIODS) {
      this.#columns[open] ??= yesPriceUnits;
      this.#columns[high] = Math.max(this.#columns[high] ?? yesPriceUnits, yesPriceUnits);
      this.#columns[low] = Math.min(this.#columns[low] ?? yesPriceUnits, yesPriceUnits);
    }
  }
}
