import type { ReadTables } from '../models/tables.ts';

export type PositionSums = Pick<
  ReadTables['positions'],
  'yes_shares' | 'no_shares' | 'yes_cost_units' | 'no_cost_units'
>;

/** A position after a change; `before`: null for none. */
export function movedPosition(before: PositionSums | null, moved: PositionSums): PositionSums {
  return {
    yes_shares: (before?.yes_shares ?? 0) + moved.yes_shares,
    no_shares: (before?.no_shares ?? 0) + moved.no_shares,
    yes_cost_units: (before?.yes_cost_units ?? 0) + moved.yes_cost_units,
    no_cost_units: (before?.no_cost_units ?? 0) + moved.no_cost_units,
  };
}

const NO_POSITIONS: ReadonlyMap<string, PositionSums> = new Map();

/**
 * The cash and positions of every account, summed over all batches from the start of the journal. A projection that has
 * them in memory need not query the tables.
 */
export class Holdings {
  readonly #cashUnits = new Map<string, number>();
  /** The positions by market, then by account. */
  readonly #positions = new Map<string, Map<string, PositionSums>>();
  #size = 0;

  /** The number of positions. */
  get size(): number {
    return this.#size;
  }

  /** Null for an account that is not there. */
  cashUnits(accountId: string): number | null {
    return this.#cashUnits.get(accountId) ?? null;
  }

  /** The positions of a market by account, without those that have neither shares nor cost. */
  positions(marketId: string): ReadonlyMap<string, PositionSums> {
    return this.#positions.get(marketId) ?? NO_POSITIONS;
  }

  open(accountId: string, cashUnits: number): void {
    this.#cashUnits.set(accountId, cashUnits);
  }

  /** Adds a batch's changes of cash and positions. */
  add(
    accounts: Iterable<Pick<ReadTables['accounts'], 'id' | 'cash_units'>>,
    positions: Iterable<ReadTables['positions']>,
  ): void {
    for (const { id, cash_units } of accounts) this.#cashUnits.set(id, (this.cashUnits(id) ?? 0) + cash_units);
    for (const change of positions) this.#addPosition(change);
  }

  #addPosition({ account_id, market_id, ...moved }: ReadTables['positions']): void {
    const ofMarket = this.#positions.get(market_id) ?? new Map<string, PositionSums>();
    const before = ofMarket.get(account_id) ?? null;
    const after = movedPosition(before, moved);
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
