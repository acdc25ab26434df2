/** Returns numbers from 0 (included) to 1 (excluded). Everything random in the demo is drawn from one such stream. */
export type Chance = () => number;

/** A number of the standard normal distribution (Box and Muller). */
export function normal(chance: Chance): number {
  return Math.sqrt(-2 * Math.log(1 - chance())) * Math.cos(2 * Math.PI * chance());
}

export function between(chance: Chance, low: number, high: number): number {
  return low + (high - low) * chance();
}

export function wholeBetween(chance: Chance, low: number, high: number): number {
  return low + Math.floor(chance() * (high - low + 1));
}

export function pickOne<T>(chance: Chance, list: readonly T[]): T | undefined {
  return list[Math.floor(chance() * list.length)];
}

/** A number from 0 (included) to 1 (excluded) that depends only on the text (FNV-1a). */
export function fractionOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  // Similar texts differ most in the last bits, so these are mixed into the first ones.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
}
