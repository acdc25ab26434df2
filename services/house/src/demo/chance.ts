/** Gives numbers from 0 (included) to 1 (excluded). Everything random in the demo is drawn from one such stream. */
export type Chance = () => number;

/** A number of the standard normal distribution (Box and Muller). */
export function normal(chance: Chance): number {
  return Math.sqrt(-2 * Math.log(1 - chance())) * Math.cos(2 * Math.PI * chance());
}

/** A number between the two, each as likely as the others. */
export function between(chance: Chance, low: number, high: number): number {
  return low + (high - low) * chance();
}

/** A whole number, both ends included. */
export function wholeBetween(chance: Chance, low: number, high: number): number {
  return low + Math.floor(chance() * (high - low + 1));
}

/** An item of the list; undefined where it is empty. */
export function pickOne<T>(chance: Chance, list: readonly T[]): T | undefined {
  return list[Math.floor(chance() * list.length)];
}

/** A number from 0 (included) to 1 (excluded) that depends on the text alone (FNV-1a). */
export function fractionOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  // The last bits of neighbouring texts differ most, so they are mixed into the first ones.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
}
