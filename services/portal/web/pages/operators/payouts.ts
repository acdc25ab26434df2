import { inOwnTerms, UNITS_PER_DOLLAR } from '@paper/contracts/units';
import type { MarketHoldersBody } from '@paper/contracts/operator';

/** An account that holds shares, with its payout in dollars. */
export type Payee = MarketHoldersBody['holders'][number] & { readonly paid: number };

export interface Payouts {
  /** The dollars to all accounts, listed or not. */
  readonly total: number;
  /** The listed accounts, the largest payout first. */
  readonly payees: readonly Payee[];
}

/** The payouts of a settlement if a YES share pays `yesPrice` dollars, and a NO share one dollar minus that. */
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
