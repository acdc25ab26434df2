import { Budget } from '../budget.ts';

/**
 * The total loss of the demo's accounts to others, each share valued at the hidden value at the time of the trade. At
 * most `capacity` is given away at once, and the same again in each hour, beyond what the last orders cost.
 *
 * A trade of a demo trader with a demo maker costs the demo nothing. The trader's side of it is known from the answer to
 * its order and the maker's from the next read of its fills, so both are added up before the sum counts.
 */
export class LossToOthers {
  readonly #budget: Budget;
  #tradersUnits = 0;

  constructor(capacityUnits: number) {
    this.#budget = new Budget(capacityUnits);
  }

  /** A demo trader's order was filled at this loss; below 0 for a gain. */
  traderLost(units: number): void {
    this.#tradersUnits += units;
  }

  /** The makers' fills were read, also those against the orders of traders until now. */
  makersLost(units: number, nowMs: number): void {
    const sum = units + this.#tradersUnits;
    this.#tradersUnits = 0;
    if (sum > 0) this.#budget.spend(sum, nowMs);
    else this.#budget.giveBack(-sum, nowMs);
  }

  /** Whether anything may be given away now. */
  mayGive(nowMs: number): boolean {
    return this.#budget.leftUnits(nowMs) > 0;
  }
}
