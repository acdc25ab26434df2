import type { PositionRow } from './table.ts';

export type PositionSums = Omit<PositionRow, 'account_id' | 'market_id'>;

/** A position after a change. `before`: the position before it; null if there was none. */
export function movedPosition(before: PositionSums | null, moved: PositionSums): PositionSums {
  return {
    yes_shares: (before?.yes_shares ?? 0) + moved.yes_shares,
    no_shares: (before?.no_shares ?? 0) + moved.no_shares,
    yes_cost_units: (before?.yes_cost_units ?? 0) + moved.yes_cost_units,
    no_cost_units: (before?.no_cost_units ?? 0) + moved.no_cost_units,
  };
}

const NO_POSITIONS: ReadonlyMap<string, PositionSums> = new Map();

/** The positions of every account, summed over all batches from the start of the journal. */
export class Holdings {
  /** The positions, by market and then by account. */
  readonly #positions = new Map<string, Map<string, PositionSums>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The positions of a market by account, without those that have neither shares nor cost. */
  positions(marketId: string): ReadonlyMap<string, PositionSums> {
    return this.#positions.get(marketId) ?? NO_POSITIONS;
  }

  add(changes: Iterable<PositionRow>): void {
    for (const change of changes) this.#add(change);
  }

  #add({ account_id, market_id, yes_shares, no_shares, yes_cost_units, no_cost_units }: PositionRow): void {
    const ofMarket = this.#positions.get(market_id) ?? new Map<string, PositionSums>();
    const before = ofMarket.get(account_id) ?? null;
    const after = movedPosition(before, { yes_shares, no_shares, yes_cost_units, no_cost_units });
    if (Object.values(after).every((sum) => sum === 0)) {
      if (ofMarket.delete(account_id)) this.#size -= 1;
      if (ofMarket.size === 0) this.#positions.delete(market_id);
      return;
    }
    if (before === null) this.#size += 1;
    if (ofMarket.size === 0) this.#positions.set(market_id, ofMarket);
    ofMarket.set(account_id, after);
  }
}
