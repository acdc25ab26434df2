import { startOfMinutes } from './row.ts';
import type { Row } from './row.ts';

const LENGTHS = [1, 5, 15, 60, 1440].map((minutes) => ({
  minutes,
  open: `open_${minutes}m_units`,
  high: `high_${minutes}m_units`,
  low: `low_${minutes}m_units`,
}));

interface Candle {
  readonly begin: number;
  readonly open: number;
  high: number;
  low: number;
}

/** The candles with one market's last trade. */
export class CandleRows {
  readonly #candles = new Map<number, Candle>();

  trade(at: number, price: number): void {
    for (const { minutes } of LENGTHS) {
      const begin = startOfMinutes(minutes, at);
      const candle = this.#candles.get(minutes);
      if (candle?.begin !== begin) {
        this.#candles.set(minutes, { begin, open: price, high: price, low: price });
      } else if (price > candle.high) {
        candle.high = price;
      } else if (price < candle.low) {
        candle.low = price;
      }
    }
  }

  /** Open, high and low of each candle at this time; null before its first trade. */
  columnsAt(at: number): Row {
    const columns: Record<string, number | null> = {};
    for (const { high, low, minutes, open } of LENGTHS) {
      const last = this.#candles.get(minutes);
      const candle = last?.begin === startOfMinutes(minutes, at) ? last : null;
      columns[open] = candle?.open ?? null;
      columns[high] = candle?.high ?? null;
      columns[low] = candle?.low ?? null;
    }
    return columns;
  }
}
