import { Budget } from '../budget.ts';

/**
 * The total loss of the demo's accounts to others, each share valued at the hidden value at the time of the trade. At
 * most `capacity` is given away at once, and the same again in each hour, apart from the cost of the last orders.
 * A trade between a demo trader and a demo maker costs the demo nothing. The trader's side is known from the answer to
 * its order, the maker's side only from the next read of its fills. So both are added up before the sum counts.
 */
export class LossToOthers {
  readonly #budget: Budget;
  #tradersUnits = 0;

  constructor(capacityUnits: number) {
    this.#budget = new Budget(capacityUnits);
  }

  /** Adds the loss of a fill of a demo trader's order; below 0 for a gain. */
  traderLost(units: number): void {
    this.#tradersUnits += units;
  }

  /** Adds the losses of the makers' fills that were just read, including those against traders' orders so far. */
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
