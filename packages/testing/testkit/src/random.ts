/** Seeded randomness, the same on every machine, not for secrets: xoshiro128** (Blackman and Vigna) and splitmix32. */
export interface Random {
  /** The next 32 bits, as a number 0..4,294,967,295. */
  next(): number;
  /** A whole number, both ends included. */
  int(min: number, max: number): number;
  /** True with this probability, 0..1. */
  chance(probability: number): boolean;
  /** Picks an item with equal probability. @throws Error for an empty list */
  pick<T>(list: readonly T[]): T;
  /** Picks a value with a probability in proportion to its weight. */
  weighted<T>(choices: readonly (readonly [weight: number, value: T])[]): T;
  /** A UUID of version 7 whose time is `atMs`; the generator draws its other bits. */
  uuid(atMs: number): string;
  hex(digits: number): string;
}

/** A generator that is determined by the seed (its lowest 32 bits). */
export function createRandom(seed: number): Random {
  let fill = seed >>> 0;
  const splitmix = (): number => {
    fill = (fill + 0x9e3779b9) >>> 0;
    let z = fill;
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
    return (z ^ (z >>> 16)) >>> 0;
  };
  let a = splitmix();
  let b = splitmix();
  let c = splitmix();
  let d = splitmix();

  const rotate = (x: number, by: number): number => (x << by) | (x >>> (32 - by));

  const random: Random = {
    next() {
      const result = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0;
      const t = b << 9;
      c ^= a;
      d ^= b;
      b ^= c;
      a ^= d;
      c ^= t;
      d = rotate(d, 11);
      return result;
    },
    int: (min, max) => min + Math.floor((random.next() / 0x1_0000_0000) * (max - min + 1)),
    chance: (probability) => random.next() < probability * 0x1_0000_0000,
    pick(list) {
      if (list.length === 0) throw new Error('nothing to pick from');
      return list[random.int(0, list.length - 1)] as (typeof list)[number];
    },
    weighted(choices) {
      const total = choices.reduce((sum, [weight]) => sum + weight, 0);
      let at = (random.next() / 0x1_0000_0000) * total;
      for (const [weight, value] of choices) {
        if (at < weight) return value;
        at -= weight;
      }
      throw new Error('weights must be positive');
    },
    uuid(atMs) {
      const time = atMs.toString(16).padStart(12, '0');
      const variant = (8 + (random.next() & 3)).toString(16);
      return `${time.slice(0, 8)}-${time.slice(8)}-7${random.hex(3)}-${variant}${random.hex(3)}-${random.hex(12)}`;
    },
    hex(digits) {
      let text = '';
      while (text.length < digits) text += random.next().toString(16).padStart(8, '0');
      return text.slice(0, digits);
    },
  };
  return random;
}
