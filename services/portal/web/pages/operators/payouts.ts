import { inOwnTerms, UNITS_PER_DOLLAR } from '@paper/contracts/units';
import type { MarketHoldersBody } from '@paper/contracts/operator';

export type Payee = MarketHoldersBody['holders'][number] & { readonly paid: number };

export interface Payouts {
  readonly total: number;
  /** The largest payout first. */
  readonly payees: readonly Payee[];
}

/** The payouts, in dollars, if a YES share pays `yesPrice` and a NO share the rest of a dollar. */
export function payoutsOf({ holders, noShares, yesShares }: MarketHoldersBody, yesPrice: number): Payouts {
  const yesUnits = Math.round(yesPrice * UNITS_PER_DOLLAR);
  const paidFor = (yes: number, no: number): number =>
    (yes * yesUnits + no * inOwnTerms('no', yesUnits)) / UNITS_PER_DOLLAR;
  return {
    total: paidFor(yesShares, noShares),
    payees: holders
      .map((holder) => ({ ...holder, paid: paidFor(holder.yesShares, holder.noShares) }))
      .sort((a, b) => b.paid - a.paid),
  };
}
