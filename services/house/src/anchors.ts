import type { RecentSignalBody } from '@paper/contracts/signals';

/**
 * The price at which the house values a market, in YES terms and rounded to the tick: the newest fair value that an
 * operator's signal cites, else the listing's prior. No trader can move it.
 */
export interface Anchor {
  readonly marketId: string;
  readonly anchorUnits: number;
  readonly tickUnits: number;
}

export class FairValues {
  readonly #newest = new Map<string, { readonly seq: number; readonly fairProb: number }>();

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
