import { MINUTE_MS } from '@paper/contracts/units';
import type { OrderFilled } from '@paper/exchange/events';
import type { MarketFold } from '@paper/read-models';
import type { TableRow } from './tables.ts';

interface MinuteTrades {
  readonly market: MarketFold;
  readonly openUnits: number;
  highUnits: number;
  lowUnits: number;
  closeUnits: number;
  volumeShares: number;
  trades: number;
}

/** Builds the candles of the current minute, by the time of the journal. */
export class CandleFold {
  #startMs = 0;
  #traded = new Map<string, MinuteTrades>();

  /** @param onEnd called with each candle when its minute ends; the candles of a minute are sorted by market */
  constructor(private readonly onEnd: (candle: TableRow<'candles'>) => void) {}

  /** Ends the candles of earlier minutes. The caller must call this before each event, with the event's time. */
  enter(atMs: number): void {
    const startMs = Math.floor(atMs / MINUTE_MS) * MINUTE_MS;
    if (startMs === this.#startMs) return;
    this.finish();
    this.#startMs = startMs;
  }

  trade(market: MarketFold, { quantity, yesPriceUnits }: OrderFilled): void {
    const minute = this.#traded.get(market.id) ?? {
      market,
      openUnits: yesPriceUnits,
      highUnits: yesPriceUnits,
      lowUnits: yesPriceUnits,
      closeUnits: yesPriceUnits,
      volumeShares: 0,
      trades: 0,
    };
    minute.highUnits = Math.max(minute.highUnits, yesPriceUnits);
    minute.lowUnits = Math.min(minute.lowUnits, yesPriceUnits);
    minute.closeUnits = yesPriceUnits;
    minute.volumeShares += quantity;
    minute.trades += 1;
    this.#traded.set(market.id, minute);
  }

  finish(): void {
    const ended = [...this.#traded.values()].sort((a, b) => (a.market.id < b.market.id ? -1 : 1));
    this.#traded = new Map();
    for (const { market, ...of } of ended) {
      this.onEnd({
        market_id: market.id,
        start: this.#startMs,
        open_units: of.openUnits,
        high_units: of.highUnits,
        low_units: of.lowUnits,
        close_units: of.closeUnits,
        volume_shares: of.volumeShares,
        trades: of.trades,
        yes_bid_close_units: market.bids.bestUnits,
        yes_ask_close_units: market.asks.bestUnits,
      });
    }
  }
}
