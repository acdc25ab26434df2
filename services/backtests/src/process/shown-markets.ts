import { PULSE_MARKETS, Pulse } from '@paper/contracts/markets';
import type { PulseEntryView } from '@paper/contracts/markets';
import { DAY_MS, MINUTE_MS } from '@paper/contracts/units';
import type { PublicCommandlessEvent } from '@paper/journal';
import type { MarketSnapshots, PulseMessage } from '@paper/pulse';
import { LiveBooks } from '@paper/read-models';
import type { BookChange } from '@paper/read-models';

/** The traded shares of a market in a minute. */
interface Traded {
  readonly minuteMs: number;
  shares: number;
}

/** The markets as the streams of a backtest show them: a fold of the shown events. */
export class ShownMarkets implements MarketSnapshots {
  readonly #books = new LiveBooks(0);
  /** The trades of each market in the last 24 h, in the order of the markets' listing. */
  readonly #traded = new Map<string, Traded[]>();

  nowMs = 0;

  apply(stored: PublicCommandlessEvent): readonly BookChange[] {
    if (stored.event.type === 'MarketListed') this.#traded.set(stored.event.marketId, []);
    const changes = this.#books.apply(stored);
    for (const { marketId, trades } of changes) {
      for (const { createdAt, quantity } of trades) this.#trade(marketId, createdAt, quantity);
    }
    return changes;
  }

  readonly nameOf = (marketId: string) => this.#books.nameOf(marketId);

  has(marketId: string): boolean {
    return this.#traded.has(marketId);
  }

  of(marketIds: readonly string[]): Promise<PulseMessage> {
    const markets = marketIds.flatMap((id) => this.#entry(id) ?? []);
    return Promise.resolve({ seq: this.#books.seq, pulse: Pulse.body({ at: this.nowMs, markets }) });
  }

  mostActive(): Promise<PulseMessage> {
    const sinceMs = Math.floor((this.nowMs - DAY_MS) / MINUTE_MS) * MINUTE_MS;
    const ranked = [...this.#traded].reverse().map(([id, all]) => {
      const traded = all.filter(({ minuteMs }) => minuteMs > sinceMs);
      this.#traded.set(id, traded);
      return {
        id,
        isActive: this.#books.market(id)?.phase === 'active',
        shares: traded.reduce((sum, { shares }) => sum + shares, 0),
      };
    });
    ranked.sort((a, b) => b.shares - a.shares || Number(b.isActive) - Number(a.isActive));
    return this.of(ranked.slice(0, PULSE_MARKETS).map(({ id }) => id));
  }

  #trade(marketId: string, atMs: number, quantity: number): void {
    const minuteMs = Math.floor(atMs / MINUTE_MS) * MINUTE_MS;
    const traded = this.#traded.get(marketId) ?? [];
    const last = traded.at(-1);
    if (last?.minuteMs === minuteMs) last.shares += quantity;
    else traded.push({ minuteMs, shares: quantity });
  }

  #entry(id: string): PulseEntryView | null {
    const market = this.#books.market(id);
    if (market === null) return null;
    return {
      bestAskUnits: market.asks.bestUnits,
      bestBidUnits: market.bids.bestUnits,
      id,
      lastTradeUnits: market.lastTradeUnits,
      phase: market.phase,
      probabilityHalfUnits: market.probabilityHalfUnits(),
      seq: market.seq,
      volume: market.volumeShares,
    };
  }
}
