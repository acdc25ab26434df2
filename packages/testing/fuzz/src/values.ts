import type { Random } from '@paper/testkit';
import type { Api, Json, Schema } from './api.ts';
import { fieldValue, isRare, isTimer } from './field-values.ts';
import type { FieldPlace } from './field-values.ts';
import type { Pool } from './pool.ts';

const WORDS = [
  ...['a', 'News', 'Will it rain?', 'x y', 'e-1', 'technology', '0', 'null', '__proto__', '=1+1', '<b>', '%00'],
];
/** Unusual but valid texts. */
const ODD = [
  ...['🚀', 'é', 'e\u0301', '\u200b\u200f', '\u202eabc', '\ufeffx', '\u2028', '\u0001\u001b[31m', '\r\nX: y'],
  ...['ﬀ', '𝒳'.repeat(3), '\ufdfa', '👨‍👩‍👧‍👦', "'; drop table markets; --", '\\u0000'],
];
const TIMES = [
  '2099-01-01T00:00:00.000Z',
  '2400-02-29T00:00:00Z',
  '2027-12-31T23:59:59.123456789+23:59',
  '1970-01-01T00:00:00Z',
  '2999-12-31T23:59:59Z',
];
const DAYS = ['2026-01-01', '2028-02-29', '2999-12-31'];
const LINKS = [
  'https://example.com/news',
  'http://a',
  `https://example.com/${'a'.repeat(870)}`,
  'https://é.example/?q=🚀',
];
/** Values that are invalid in almost every place; the validator decides. */
const WRONG: readonly Json[] = [
  ...[null, true, 0, -1, 1.5, 1e21, -1e300, 5e-324, '', ' ', 'x', 'YES', 'tomorrow', 'javascript:alert(1)'],
  ...['2027-02-29T00:00:00Z', '0x10', '1e2', 'x'.repeat(301), 'y'.repeat(10_001), [], [null], {}, { a: 1 }],
];

const TRIES = 40;

/** Makes values from the schemas of the served document. */
export class Values {
  constructor(
    private readonly api: Api,
    private readonly pool: Pool,
  ) {}

  /** A valid value. A field for ids mostly gets an existing id. */
  valid(random: Random, given: Schema, place: FieldPlace): Json {
    const schema = this.api.resolve(given);
    const meant = isTimer(place) || random.chance(0.85) ? fieldValue(random, this.pool, place) : undefined;
    if (meant !== undefined && this.api.fits(schema, meant)) return meant;
    if (schema.anyOf !== undefined) return this.valid(random, random.pick(schema.anyOf), place);
    if (schema.enum !== undefined) return random.pick(schema.enum);
    switch (typeof schema.type === 'object' ? random.pick(schema.type) : schema.type) {
      case 'null':
        return null;
      case 'object':
        return this.#object(random, schema, place);
      case 'array':
        return this.#array(random, schema, place);
      case 'number':
      case 'integer':
        return this.#number(random, schema);
      case 'boolean':
        return random.chance(0.5);
      default:
        return this.#text(random, schema, place);
    }
  }

  /** An invalid value; undefined if the schema allows every value that was tried. */
  invalid(random: Random, schema: Schema): Json | undefined {
    const { maximum, maxLength, minimum } = this.api.resolve(schema);
    const near: Json[] = [];
    if (minimum !== undefined) near.push(minimum - 1, minimum - 0.0001);
    if (maximum !== undefined) near.push(maximum + 1, maximum + 0.0001);
    if (maxLength !== undefined) near.push('x'.repeat(maxLength + 1), '🚀'.repeat(maxLength + 1));
    for (let tries = 0; tries < TRIES; tries += 1) {
      const value = random.pick(near.length > 0 && random.chance(0.5) ? near : WRONG);
      if (!this.api.fits(schema, value)) return value;
    }
    return undefined;
  }

  #object(random: Random, { minProperties = 0, properties = {}, required = [] }: Schema, place: FieldPlace): Json {
    const made: Record<string, Json> = {};
    const op = properties['op']?.enum?.[0];
    const inside = typeof op === 'string' ? { ...place, operationId: op } : place;
    for (const [name, schema] of Object.entries(properties)) {
      if (!required.includes(name) && !random.chance(isRare({ ...inside, name }) ? 0.1 : 0.6)) continue;
      made[name] = this.valid(random, schema, { ...inside, name });
    }
    while (Object.keys(made).length < minProperties) {
      const name = random.pick(Object.keys(properties));
      made[name] = this.valid(random, properties[name] ?? {}, { ...inside, name });
    }
    return made;
  }

  #array(random: Random, { items = {}, maxItems = 6, minItems = 0 }: Schema, place: FieldPlace): Json {
    const length = random.int(minItems, Math.min(maxItems, minItems + 5));
    return Array.from({ length }, () => this.valid(random, items, place));
  }

  #number(random: Random, { maximum = 1e9, minimum = -1e9, type }: Schema): number {
    const inside = minimum + (random.next() / 0x1_0000_0000) * (maximum - minimum);
    const made = random.weighted([
      [6, Math.round(inside * 100) / 100],
      [1, Math.round(inside * 10_000) / 10_000],
      [1, inside],
      [1, minimum],
      [1, maximum],
    ]);
    const bounded = Math.min(maximum, Math.max(minimum, made));
    return type === 'integer' ? Math.round(bounded) : bounded;
  }

  #text(random: Random, schema: Schema, place: FieldPlace): string {
    const { format, maxLength = 200, minLength = 0 } = schema;
    for (let tries = 0; tries < TRIES; tries += 1) {
      const text = random.weighted([
        [format === 'date-time' ? 20 : 0, random.pick(TIMES)],
        [place.name === 'day' ? 20 : 0, random.pick(DAYS)],
        [/url/i.test(place.name) ? 20 : 0.1, random.pick(LINKS)],
        [4, random.pick(WORDS)],
        [3, `${random.pick(ODD)}${random.hex(2)}`],
        [
          1,
          random.pick(['a', 'é', '🚀']).repeat(random.pick([minLength, maxLength, random.int(minLength, maxLength)])),
        ],
        [2, `fz-${random.hex(8)}`],
      ]);
      if (this.api.fits(schema, text)) return text;
    }
    throw new Error(`no text is known that fits ${place.operationId}.${place.name}: ${JSON.stringify(schema)}`);
  }
}
