/** Seeded changes to a JSON value, with a preference for those that break validators. */

export type Random = () => number;

/** Mulberry32: the same seed gives the same numbers in 0..1. */
export function seeded(seed: number): Random {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function pick<T>(random: Random, items: readonly T[]): T {
  return items[Math.floor(random() * items.length)]!;
}

// JSON numbers that overflow arrive as Infinity; NaN cannot arrive at all.
const NUMBERS = [
  0, -0, 1, -1, 0.01, 0.009999, 0.99, 0.9900001, 0.25, 0.0001, 0.001, 0.5, 1.5, 2, 100, 399, 400, 500, 501,
];
const LARGE = [599, 600, 5000, 5000.01, 10_000_000, 10_000_001, 2 ** 53 - 1, 2 ** 53, 1e21, -1e300, Infinity];
const WORDS = [
  '',
  ' ',
  'yes',
  'no',
  'buy',
  'GTC',
  'gtc',
  'active',
  'void',
  'signals',
  'Signals',
  'trade',
  'list-market',
  '1',
];
const NASTY = [
  'a\u0000b',
  '\ud800',
  'x\udfff',
  '🚀',
  '\u2028',
  'a:b',
  '-a',
  'a b',
  '1e2',
  '0x10',
  '05',
  ' 5',
  '5 ',
  '+5',
  'a\n',
  'NaN',
];
const TIMES = [
  '2027-12-31T23:59:00Z',
  '2027-12-31T23:59Z',
  '2027-12-31',
  '2027-02-29T00:00:00Z',
  '2028-02-29T00:00:00Z',
  '2100-02-29T00:00:00Z',
  '2400-02-29T00:00:00Z',
  '2027-04-31T00:00:00Z',
  '2027-13-01T00:00:00Z',
  '2027-12-31T24:00:00Z',
  '2027-12-31T23:59:60Z',
  '1969-12-31T00:00:00Z',
  '2999-12-31T23:59:59.123456789+23:59',
  '3000-01-01T00:00:00Z',
  '2027-12-31T23:59:00',
  '2027-12-31t23:59:00z',
  '2027-12-31T23:59:00.000Z',
  '2027-12-31T23:59:00+2400',
];
const URLS = [
  'https://a',
  'http://',
  'HTTPS://a',
  'ftp://a',
  'javascript:alert(1)',
  `https://${'a'.repeat(901)}`,
  'https://a b',
];
const LENGTHS = [1, 2, 20, 21, 24, 25, 40, 41, 60, 61, 100, 101, 300, 301, 900, 10_000, 10_001];

/** Text that is likely to be right, or to be wrong in one way. */
export function nastyText(random: Random): string {
  const kind = Math.floor(random() * 5);
  if (kind === 0) return pick(random, WORDS);
  if (kind === 1) return pick(random, NASTY);
  if (kind === 2) return pick(random, TIMES);
  if (kind === 3) return pick(random, URLS);
  return pick(random, ['a', '🚀', 'é']).repeat(pick(random, LENGTHS));
}

function scalar(random: Random): unknown {
  const kind = Math.floor(random() * 6);
  if (kind === 0) return pick(random, [null, true, false, {}, [], [null], { ok: true }]);
  if (kind <= 2) return pick(random, [...NUMBERS, ...LARGE]);
  return nastyText(random);
}

interface Slot {
  readonly holder: Record<string, unknown>;
  readonly key: string;
}

function slots(value: unknown, found: Slot[] = []): Slot[] {
  if (typeof value === 'object' && value !== null) {
    const holder = value as Record<string, unknown>;
    for (const key of Object.keys(holder)) {
      found.push({ holder, key });
      slots(holder[key], found);
    }
  }
  return found;
}

/** A changed copy: one to three slots replaced, removed, nudged, doubled, or joined by an unknown field. */
export function mutate(random: Random, sample: unknown): unknown {
  const root = { root: structuredClone(sample) };
  for (let left = 1 + Math.floor(random() * 3); left > 0; left -= 1) {
    const { holder, key } = pick(random, slots(root));
    const value = holder[key];
    const kind = Math.floor(random() * 6);
    if (kind === 0 && key !== 'root') remove(holder, key);
    else if (kind === 1 && typeof value === 'number') holder[key] = value + pick(random, [-1, 1, 1e-9, 0.5, 1e16]);
    else if (kind === 1 && typeof value === 'string') holder[key] = value + pick(random, NASTY);
    else if (kind === 2 && typeof value === 'object' && value !== null) extend(random, value);
    else holder[key] = scalar(random);
  }
  return root.root;
}

function remove(holder: Record<string, unknown>, key: string): void {
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else Reflect.deleteProperty(holder, key);
}

function extend(random: Random, value: object): void {
  if (Array.isArray(value)) {
    value.push(value.length > 0 && random() < 0.5 ? structuredClone(value[0]) : scalar(random));
  } else {
    // As with JSON.parse, __proto__ becomes a property like any other.
    const key = pick(random, [
      'unknown',
      '__proto__',
      'constructor',
      'toString',
      'a\u0000',
      'op',
      'id',
      'price',
      'rawKey',
    ]);
    Object.defineProperty(value, key, { value: scalar(random), enumerable: true, writable: true, configurable: true });
  }
}
