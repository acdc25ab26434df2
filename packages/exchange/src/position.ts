import type { Account } from './account.ts';
import type { Outcome } from './commands.ts';

/**
 * An account's place in one market: shares held of both outcomes, what they cost (units), and how many its resting
 * sells promise. Made by the account's first order there, dropped when the market has settled.
 */
export class Position {
  yes = 0;
  no = 0;
  yesCostUnits = 0;
  noCostUnits = 0;
  yesReserved = 0;
  noReserved = 0;
  /** True once one of its sides is settled: a holder is counted once. */
  settled = false;

  constructor(readonly account: Account) {}

  /** Shares that can be sold. */
  free(outcome: Outcome): number {
    return outcome === 'yes' ? this.yes - this.yesReserved : this.no - this.noReserved;
  }

  /** Adds bought shares and what they cost. */
  add(outcome: Outcome, quantity: number, costUnits: number): void {
    if (outcome === 'yes') {
      this.yes += quantity;
      this.yesCostUnits += costUnits;
    } else {
      this.no += quantity;
      this.noCostUnits += costUnits;
    }
  }

  /** Promises shares to a resting sell; a negative quantity takes the promise back. */
  reserve(outcome: Outcome, quantity: number): void {
    if (outcome === 'yes') {
      this.yesReserved += quantity;
    } else {
      this.noReserved += quantity;
    }
  }
}
