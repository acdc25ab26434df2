import type { RecentSignalBody } from '@paper/contracts';

/**
 * What the house takes a market to be worth, in YES terms and on the market's tick. It is the newest cited fair value,
 * else the listing's prior; only an operator can record a signal. Trades and quotes never enter, so nobody who trades
 * can move it.
 */
export interface Anchor {
  readonly marketId: string;
  readonly anchorUnits: number;
  readonly tickUnits: number;
}

/** The newest cited fair value of each market. */
export class FairValues {
  readonly #newest = new Map<string, { readonly seq: number; readonly fairProb: number }>();

  /** Takes in a list of signals, in any order, again or not. */
  learn(signals: readonly RecentSignalBody[]): void {
    for (const { marketId, fairProb, seq } of signals) {
      if (marketId === null || fairProb === null) continue;
      if (seq > (this.#newest.get(marketId)?.seq ?? 0)) this.#newest.set(marketId, { seq, fairProb });
    }
  }

  anchor(marketId: string, prior: number, tickSize: number): Anchor {
    const tickUnits = Math.round(tickSize * 10_000);
    const units = (this.#newest.get(marketId)?.fairProb ?? prior) * 10_000;
    const onTick = Math.round(units / tickUnits) * tickUnits;
    return { marketId, anchorUnits: Math.min(9900, Math.max(100, onTick)), tickUnits };
  }
}
