/** A value, or the error in its text, in the service's words. */
export type Read<T> = { readonly value: T; readonly fault: null } | { readonly value: null; readonly fault: string };

/** The most shares that an order can name. */
const SHARES_MAX = 500;

/** Reads a decimal number with a point, of this range. */
export function readNumber(text: string, min: number, max: number): Read<number> {
  const trimmed = text.trim();
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(trimmed)) return wrong('must be a number');
  const value = Number(trimmed);
  if (value < min) return wrong(`must be at least ${min}`);
  return value > max ? wrong(`must be at most ${max}`) : { value, fault: null };
}

/** Reads the shares of an order. */
export function readShares(text: string): Read<number> {
  const read = readNumber(text, 1, SHARES_MAX);
  // A fraction out of range is no whole number first of all, as the service says.
  return Number.isInteger(Number(text.trim())) || read.fault === 'must be a number'
    ? read
    : wrong('must be a whole number');
}

export function wrong(fault: string): Read<never> {
  return { value: null, fault };
}
