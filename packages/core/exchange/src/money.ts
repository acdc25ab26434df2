/** The lowest price, $0.01; the highest, PRICE_UNITS_MAX, is $0.99. Every tick size divides both. */
export const PRICE_UNITS_MIN = 100;
export const PRICE_UNITS_MAX = 9_900;

/** True for a given value that is not a whole number of this range; NaN and the infinities count as outside. */
export function isOutside(value: number | null, min: number, max: number): boolean {
  return value !== null && !(Number.isInteger(value) && value >= min && value <= max);
}

/**
 * The cost that leaves a position with `quantity` of its `shares`: exactly ⌊cost × quantity / shares⌋. All three are
 * integers within 2^53, but their product can leave that range. The quotient never rounds up to the next integer.
 */
export function costRemoved(costUnits: number, shares: number, quantity: number): number {
  if (quantity === shares) return costUnits;
  const product = costUnits * quantity;
  if (product <= Number.MAX_SAFE_INTEGER) return Math.floor(product / shares);
  return Number((BigInt(costUnits) * BigInt(quantity)) / BigInt(shares));
}

/** The widest spread ($0.10) whose midpoint is taken as the probability. */
const MIDPOINT_SPREAD_UNITS_MAX = 1_000;

/** The midpoint of the best YES bid and ask in half units; null if one is missing, or the spread is too wide. */
export function midpointHalfUnits(bidUnits: number | null, askUnits: number | null): number | null {
  if (bidUnits === null || askUnits === null || askUnits - bidUnits > MIDPOINT_SPREAD_UNITS_MAX) return null;
  return bidUnits + askUnits;
}
