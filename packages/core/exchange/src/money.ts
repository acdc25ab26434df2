import type { Outcome } from './vocabulary.ts';

/** The payout of a winning share, and the value of a complete pair: $1 in units of $0.0001. */
export const SHARE_UNITS = 10_000;
/** The lowest and highest price, $0.01 and $0.99; both are on every tick. */
export const PRICE_UNITS_MIN = 100;
export const PRICE_UNITS_MAX = 9_900;

/** A price in YES terms in the terms of this outcome, or back: the prices of YES and NO add up to $1. */
export function inOwnTerms(outcome: Outcome, priceUnits: number): number {
  return outcome === 'yes' ? priceUnits : SHARE_UNITS - priceUnits;
}

/**
 * The cost that leaves a position with `quantity` of its `shares`: ⌊cost × quantity / shares⌋, exactly. All three are
 * integers within 2^53 and quantity ≤ shares. (The quotient of two such integers never rounds up to the next integer;
 * only the product can leave the range.)
 */
export function costRemoved(costUnits: number, shares: number, quantity: number): number {
  if (quantity === shares) return costUnits;
  const product = costUnits * quantity;
  if (product <= Number.MAX_SAFE_INTEGER) return Math.floor(product / shares);
  return Number((BigInt(costUnits) * BigInt(quantity)) / BigInt(shares));
}
