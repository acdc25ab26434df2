import { MINUTE_MS } from '@paper/contracts/units';
import type { MarketBody } from '@paper/contracts/markets';

const KEPT_MS = 3 * MINUTE_MS;

export class PriceHistory {
  readonly #seen = new Map<string, { readonly atMs: number; readonly probability: number }[]>();
  readonly #changedMs = new Map<string, number>();

  add(markets: readonly MarketBody[], nowMs: number): void {
    const ids = new Set(markets.map(({ id }) => id));
    for (const known of [this.#seen, this.#changedMs]) {
      for (const id of known.keys()) if (!ids.has(id)) known.delete(id);
    }
    for (const { id, probability } of markets) {
      const seen = (this.#seen.get(id) ?? []).filter(({ atMs }) => atMs >= nowMs - KEPT_MS);
      if (seen.at(-1)?.probability !== probability) this.#changedMs.set(id, nowMs);
      this.#seen.set(id, [...seen, { atMs: nowMs, probability }]);
    }
  }

  /** The move of the probability within the last three minutes. */
  move(marketId: string): number {
    const seen = this.#seen.get(marketId) ?? [];
    return (seen.at(-1)?.probability ?? 0) - (seen[0]?.probability ?? 0);
  }

  /** The time for which the probability has not changed, as far as it was observed. */
  stillMs(marketId: string, nowMs: number): number {
    return nowMs - (this.#changedMs.get(marketId) ?? nowMs);
  }
}
