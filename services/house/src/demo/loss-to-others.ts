import { Budget } from '../budget.ts';

/**
 * The loss of the demo's accounts to others, by the hidden values: a budget of `capacityUnits` that refills in an hour.
 * Losses of traders and makers are added up first, since trades between them lose nothing.
 */
export class LossToOthers {
  readonly #budget: Budget;
  #tradersUnits = 0;

  constructor(capacityUnits: number) {
    this.#budget = new Budget(capacityUnits);
  }

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

  mayGive(nowMs: number): boolean {
    return this.#budget.leftUnits(nowMs) > 0;
  }
}
