import { MINUTE_MS } from '@paper/contracts/units';
import type { OrderFilled } from '@paper/exchange/events';
import type { MarketFold } from '@paper/read-models';
import type { TableRow } from './tables.ts';

type Candle = TableRow<'candles'>;

/** Builds the candles of the current minute, by the time of the journal. */
export class CandleFold {
  #startMs = 0;
  readonly #candles = new Map<MarketFold, { -readonly [N in keyof Candle]: Candle[N] }>();

  /** `onEnd` is called with each candle when its minute ends; the candles of a minute are sorted by market. */
  constructor(private readonly onEnd: (candle: Candle) => void) {}

  /** Ends the candles of earlier minutes. The caller must call this before each event, with the event's time. */
  enter(atMs: number): void {
    const startMs = Math.floor(atMs / MINUTE_MS) * MINUTE_MS;
    if (startMs === this.#startMs) return;
    this.finish();
    this.#startMs = startMs;
  }

  trade(market: MarketFold, { quantity, yesPriceUnits }: OrderFilled): void {
    const candle = this.#candles.get(market) ?? {
      market_id: market.id,
      start: this.#startMs,
      open_units: yesPriceUnits,
      high_units: yesPriceUnits,
      low_units: yesPriceUnits,
      close_units: yesPriceUnits,
      volume_shares: 0,
      trades: 0,
      yes_bid_close_units: null,
      yes_ask_close_units: null,
    };
    candle.high_units = Math.max(candle.high_units, yesPriceUnits);
    candle.low_units = Math.min(candle.low_units, yesPriceUnits);
    candle.close_units = yesPriceUnits;
    candle.volume_shares += quantity;
    candle.trades += 1;
    this.#candles.set(market, candle);
  }

  /** Ends the open candles, with the best quotes of their markets now. */
  finish(): void {
    const ended = [...this.#candles].sort(([a], [b]) => (a.id < b.id ? -1 : 1));
    this.#candles.clear();
    for (const [{ asks, bids }, candle] of ended) {
      candle.yes_bid_close_units = bids.bestUnits;
      candle.yes_ask_close_units = asks.bestUnits;
      this.onEnd(candle);
    }
  }
}
