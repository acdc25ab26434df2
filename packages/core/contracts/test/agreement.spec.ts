import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import type { z } from 'zod';
import { endpoints } from '../src/endpoints.ts';
import { openApiDocument } from '../src/openapi/document.ts';
import { ErrorBody } from '../src/service/service.ts';
import type { Endpoint } from '../src/endpoint.ts';
import type { EndpointId } from '../src/endpoints.ts';
import { mutate, nastyText, pick, seeded } from './mutate.ts';
import type { Random } from './mutate.ts';
import { samples } from './samples.ts';

const SEED = 20_261_121;
const MUTATIONS = 600;

const ajv = new Ajv2020({ strict: false, strictNumbers: true, unicodeRegExp: true });
(addFormats as unknown as (target: Ajv2020) => void)(ajv);
ajv.addSchema(openApiDocument(), 'openapi');

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: { readonly type?: string };
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly 'x-strict-query'?: boolean;
}

const { paths } = openApiDocument() as unknown as { paths: Record<string, Record<string, Operation>> };

function served(endpoint: Endpoint, ...more: string[]): ValidateFunction {
  const mediaType = more.at(-1) === '200' ? (endpoint.media[0] ?? 'none') : 'application/json';
  const pointer = ['paths', endpoint.path, endpoint.method, ...more, 'content', mediaType, 'schema'];
  const escaped = pointer.map((part) => encodeURIComponent(part.replace(/~/g, '~0').replace(/\//g, '~1')));
  return ajv.compile({ $ref: `openapi#/${escaped.join('/')}` });
}

/** Checks parameters as the OpenAPI document defines them: each text is converted to its schema's type first. */
function parametersVerdict(endpoint: Endpoint, place: 'path' | 'query'): (value: Record<string, unknown>) => boolean {
  const operation = paths[endpoint.path]?.[endpoint.method];
  const rules = (operation?.parameters ?? [])
    .filter((parameter) => parameter.in === place)
    .map((parameter) => ({ ...parameter, validate: ajv.compile(parameter.schema) }));
  const isStrict = place === 'query' && operation?.['x-strict-query'] === true;
  return (value) =>
    (!isStrict || Object.keys(value).every((given) => rules.some(({ name }) => name === given))) &&
    rules.every(({ name, required, schema, validate }) => {
      const raw = value[name];
      if (raw === undefined) return !required;
      const isInteger = schema.type === 'integer' && typeof raw === 'string' && /^(0|[1-9]\d*)$/.test(raw);
      return validate(isInteger ? Number(raw) : raw);
    });
}

interface Tally {
  accepted: number;
  refused: number;
}

function compare(
  schema: z.ZodType,
  verdict: (value: unknown) => boolean,
  values: readonly unknown[],
  tally: Tally,
): void {
  for (const value of values) {
    const parsed = schema.safeParse(value);
    if (parsed.success !== verdict(value)) {
      const shown = JSON.stringify({ value }).slice(0, 600);
      throw new Error(`zod says ${parsed.success}, the document the opposite, of ${shown}: ${parsed.error?.message}`);
    }
    if (parsed.success) tally.accepted += 1;
    else tally.refused += 1;
  }
}

function mutations(random: Random, sample: unknown): unknown[] {
  return Array.from({ length: MUTATIONS }, () => mutate(random, sample));
}

function wireMutation(random: Random, sample: Readonly<Record<string, string>>): Record<string, unknown> {
  const value: Record<string, unknown> = { ...sample };
  const key = pick(random, Object.keys(sample));
  const kind = random();
  if (kind < 0.1) {
    Reflect.deleteProperty(value, key);
  } else {
    value[key] = kind < 0.2 ? ['1', '2'] : kind < 0.4 ? `${sample[key] ?? ''}${nastyText(random)}` : nastyText(random);
  }
  if (random() < 0.2) value['unknown'] = 'ignored';
  return value;
}

describe('zod and the served document say the same of any request and any answer', () => {
  for (const [id, endpoint] of Object.entries(endpoints) as [EndpointId, Endpoint][]) {
    it(id, () => {
      const sample = samples[id];
      const random = seeded(SEED);
      const tally: Tally = { accepted: 0, refused: 0 };

      const answer = served(endpoint, 'responses', '200');
      for (const valid of sample.answers) {
        expect(endpoint.answer.safeParse(valid).error, 'sample answer').to.equal(undefined);
        compare(endpoint.answer, (value) => answer(value), [valid, ...mutations(random, valid)], tally);
      }
      if (endpoint.body !== null) {
        expect(endpoint.body.safeParse(sample.body).error, 'sample body').to.equal(undefined);
        const body = served(endpoint, 'requestBody');
        compare(endpoint.body, (value) => body(value), [sample.body, ...mutations(random, sample.body)], tally);
      }
      for (const [place, schema, valid] of [
        ['path', endpoint.params, sample.params],
        ['query', endpoint.query, sample.query],
      ] as const) {
        if (schema === null) continue;
        expect(schema.safeParse(valid).error, `sample ${place}`).to.equal(undefined);
        const verdict = parametersVerdict(endpoint, place);
        const values = Array.from({ length: MUTATIONS }, () => wireMutation(random, valid ?? {}));
        compare(schema, (value) => verdict(value as Record<string, unknown>), values, tally);
      }
      // A comparison in which one verdict never comes compares nothing.
      expect(tally.accepted).to.be.greaterThan(0);
      expect(tally.refused).to.be.greaterThan(50);
    });
  }

  it('the seconds of a dead-man switch, every one', () => {
    const body = served(endpoints.setDeadManSwitch, 'requestBody');
    const all = Array.from({ length: 3_700 }, (_, seconds) => ({ seconds }));
    const tally: Tally = { accepted: 0, refused: 0 };
    compare(endpoints.setDeadManSwitch.body, (value) => body(value), all, tally);
    expect(tally).to.deep.equal({ accepted: 1 + 3_596, refused: 4 + 99 });
  });

  it('the error body', () => {
    const tally: Tally = { accepted: 0, refused: 0 };
    const error = served(endpoints.placeOrder, 'responses', '400');
    const valid = { error: 'Insufficient balance', code: 'insufficient_balance' };
    compare(ErrorBody, (value) => error(value), [valid, ...mutations(seeded(SEED), valid)], tally);
    expect(tally.accepted).to.be.greaterThan(0);
    expect(tally.refused).to.be.greaterThan(50);
  });
});

describe('what is refused in any text', () => {
  const order = { marketId: 'm', outcome: 'yes' };
  const refuses = (body: unknown): boolean => !endpoints.placeOrder.body.safeParse(body).success;

  it('accepts a market id of any storable characters', () => {
    expect(refuses({ ...order, marketId: '🚀 or\nnot' })).to.equal(false);
  });
  it('refuses NUL, a lone surrogate, and emptiness', () => {
    for (const marketId of ['a\u0000', '\ud83d', '\ude80x', '']) expect(refuses({ ...order, marketId })).to.equal(true);
  });
  it('refuses numbers that JSON cannot carry', () => {
    for (const price of [NaN, Infinity, -Infinity, JSON.parse('1e400') as number]) {
      expect(refuses({ ...order, price })).to.equal(true);
    }
  });
  it('counts characters as code points: 24 rockets are a display name, 25 are not', () => {
    const accepts = (displayName: string) => endpoints.createSubAccount.body.safeParse({ displayName }).success;
    expect([accepts('🚀'.repeat(24)), accepts('🚀'.repeat(25)), accepts('🚀')]).to.deep.equal([true, false, false]);
  });
});
