import { expect } from 'chai';
import fc from 'fast-check';
import { z } from 'zod';
import { fitsSchema } from '../src/index.ts';

const wellFormed = z.string().refine((text) => text.isWellFormed());
const whole = z.int().nonnegative();
const inner = z.strictObject({ kind: z.literal('inner'), of: wellFormed });

/** One of each kind that formats of events and commands have, and two that are left to their parse. */
const SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  boolean: z.boolean(),
  text: wellFormed,
  id: wellFormed.min(1),
  'text of four': wellFormed.length(4),
  pattern: z.string().regex(/^[0-9a-f]{4}$/),
  whole,
  positive: z.int().positive(),
  fraction: z.number().min(0).max(1),
  literal: z.union([z.literal(1), z.literal(10)]),
  enum: z.enum(['yes', 'no']),
  nullable: whole.nullable(),
  list: z.array(whole).readonly(),
  object: z.strictObject({ a: whole, b: whole.nullable().optional() }),
  'empty object': z.strictObject({}),
  union: z.discriminatedUnion('kind', [inner, z.strictObject({ kind: z.literal('other') })]),
  'coerced number': z.coerce.number(),
  'loose object': z.looseObject({ a: whole }),
};

const value = fc.oneof(
  fc.constantFrom<unknown>(null, undefined, true, 0, -0, 1, 10, 11, 0.5, -1, NaN, Infinity, 2 ** 53, '', 'yes', 'abcd'),
  fc.constantFrom<unknown>('\ud800', 'abcde', '\ud800abc', [], [1], [-1], [1, null], {}),
  fc.constantFrom<unknown>({ kind: 'other' }, { kind: 'other', of: 'x' }, { kind: 'inner', of: '\ud800' }),
  fc.record({ kind: fc.constantFrom('inner', 'other', 'third'), of: fc.string() }, { requiredKeys: [] }),
  fc.record({ a: fc.anything(), b: fc.constantFrom(null, undefined, 1, -1), c: fc.nat() }, { requiredKeys: [] }),
  fc.constantFrom<unknown>(JSON.parse('{"a":1,"__proto__":1}'), JSON.parse('{"__proto__":{"a":1}}')),
  fc.anything(),
);

describe('the predicate of a schema', () => {
  for (const [name, schema] of Object.entries(SCHEMAS)) {
    it(`has the verdict of a parse by a schema of kind ${name}`, () => {
      fc.assert(
        fc.property(value, (given) => {
          expect(fitsSchema(schema, given)).to.equal(schema.safeParse(given).success);
        }),
        { numRuns: 500 },
      );
    });
  }
});
