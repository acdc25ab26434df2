import { createRandom } from '../random.ts';
import type { Random } from '../random.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** An endpoint with a body, and an example of a body that it accepts. */
export interface BadRequestTarget {
  readonly method: 'POST' | 'PUT' | 'PATCH';
  readonly path: string;
  /** A credential that may call the endpoint. */
  readonly key: string;
  readonly sample: Readonly<Record<string, Json>>;
  readonly required: readonly string[];
  readonly maxBodyBytes: number;
  readonly idempotent: boolean;
  /** Values that the schema refuses: out of range, not in the list. */
  readonly refused?: readonly { readonly field: string; readonly value: Json }[];
  /** The field with a list whose items are judged one by one: a fault inside an item does not refuse the request. */
  readonly items?: string;
  readonly nullable?: boolean;
}

/** A request that must be refused with this status and code, and change nothing. */
export interface BadRequest {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  /** Whether the body is sent in chunks, without a content length. */
  readonly chunked: boolean;
  readonly status: number;
  readonly code: string;
}

type Change = Partial<Omit<BadRequest, 'name' | 'status' | 'code'>>;
type Kind = readonly [
  name: string,
  status: number,
  code: string,
  make: (random: Random, target: BadRequestTarget) => Change,
];

const JSON_TYPE = ['content-type', 'application/json'] as const;
const PLACEHOLDER = '@placeholder@';

/** An endless, seeded sequence of malformed requests to one endpoint, with all kinds in turn. */
export function* badRequests(seed: number, target: BadRequestTarget): Generator<BadRequest, never> {
  const random = createRandom(seed);
  const kinds = KINDS.filter(([name]) => applies(name, target));
  for (let index = 0; ; index++) yield makeRequest(random, kinds[index % kinds.length] as Kind, target);
}

/** Picks an invalid request of any kind. */
export function anyBadRequest(random: Random, target: BadRequestTarget): BadRequest {
  return makeRequest(random, random.pick(KINDS.filter(([name]) => applies(name, target))), target);
}

function makeRequest(random: Random, [name, status, code, make]: Kind, target: BadRequestTarget): BadRequest {
  const valid = {
    method: target.method,
    path: target.path,
    headers: [bearer(target.key), JSON_TYPE],
    body: text(target.sample),
    chunked: random.chance(0.2),
  };
  return { name, status, code, ...valid, ...make(random, target) };
}

function applies(name: string, target: BadRequestTarget): boolean {
  if (name.startsWith('idempotency')) return target.idempotent;
  if (name === 'value refused') return (target.refused ?? []).length > 0;
  if (name === 'field missing') return target.required.length > 0;
  if (name.startsWith('number')) return fieldsOf(target, 'number').length > 0;
  if (name.startsWith('text')) return fieldsOf(target, 'string').length > 0;
  return true;
}

const invalid = (name: string, make: Kind[3]): Kind => [name, 400, 'validation_failed', make];
const stranger = (name: string, make: Kind[3]): Kind => [name, 401, 'not_authenticated', make];
const mediaType = (name: string, make: Kind[3]): Kind => [name, 415, 'unsupported_media_type', make];
const tooLarge = (name: string, make: Kind[3]): Kind => [name, 413, 'payload_too_large', make];

const KINDS: readonly Kind[] = [
  invalid('unknown field', (random, target) => ({
    body: text({ ...target.sample, [random.pick(UNKNOWN)]: random.pick(VALUES) }),
  })),
  invalid('__proto__ as a field', (_random, target) => ({
    body: Buffer.from(JSON.stringify(target.sample).replace(/^\{/, '{"__proto__":{"admin":true},')),
  })),
  invalid('field of a wrong type', (random, target) => {
    const field = random.pick(Object.keys(target.sample));
    const is = kindOf(target.sample[field] ?? null);
    return { body: text({ ...target.sample, [field]: random.pick(VALUES.filter((value) => kindOf(value) !== is)) }) };
  }),
  invalid('field missing', (random, target) => {
    const missing = random.pick(target.required);
    return { body: text(Object.fromEntries(Object.entries(target.sample).filter(([name]) => name !== missing))) };
  }),
  invalid('value refused', (random, target) => {
    const { field, value } = random.pick(target.refused ?? []);
    return { body: text({ ...target.sample, [field]: value }) };
  }),
  invalid('number too large for a double', (random, target) =>
    literal(random, target, 'number', random.pick(['1e400', '-1e400', `9${'9'.repeat(400)}`])),
  ),
  invalid('number that JSON has not', (random, target) =>
    literal(
      random,
      target,
      'number',
      random.pick(['NaN', 'Infinity', '-Infinity', '0x10', '.5', '5.', '01', '+1', '1_000']),
    ),
  ),
  invalid('text with NUL', (random, target) => ({ body: broken(random, target, '\u0000') })),
  invalid('text with half a surrogate pair', (random, target) => ({
    body: broken(random, target, random.pick(['\ud800', '\udfff', '\udc00\ud800'])),
  })),
  invalid('text that is not UTF-8', (random, target) => {
    const [before = '', after = ''] = broken(random, target, PLACEHOLDER).toString().split(PLACEHOLDER);
    const bytes = random.pick([[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe2, 0x82], [0xf5, 0x80, 0x80, 0x80]]);
    return { body: Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]) };
  }),
  invalid('not an object', (random, target) => ({
    body: text(
      random.pick<Json>([
        target.nullable === true ? false : null,
        ...[true, 0, 1.5, '', 'text', [], [target.sample], JSON.stringify(target.sample)],
      ]),
    ),
  })),
  invalid('nested deeply', (random, target) => {
    const depth = Math.min(random.int(40, 20_000), Math.floor(target.maxBodyBytes / 8));
    const nest = random.chance(0.5)
      ? '['.repeat(depth) + ']'.repeat(depth)
      : `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
    const isWhole = random.chance(0.5) || target.items !== undefined;
    return isWhole ? { body: Buffer.from(nest) } : literal(random, target, null, nest);
  }),
  invalid('cut off', (random, target) => {
    const whole = text(target.sample);
    return { body: whole.subarray(0, random.int(1, whole.length - 1)) };
  }),
  invalid('not quite JSON', (random, target) => {
    const whole = JSON.stringify(target.sample);
    return {
      body: Buffer.from(
        random.pick([
          ...[whole.replace(/\}$/, ',}'), whole.replaceAll('"', "'"), `${whole}${whole}`, `${whole};`],
          ...[`// order\n${whole}`, `)]}',\n${whole}`, whole.replace(':', '='), whole.replaceAll(/"(\w+)":/g, '$1:')],
          ...['{"a":"\t"}', '{"a":undefined}'],
        ]),
      ),
    };
  }),
  invalid('with a byte order mark', (_random, target) => ({
    body: Buffer.from(`\ufeff${JSON.stringify(target.sample)}`),
  })),
  invalid('in UTF-16', (_random, target) => ({ body: Buffer.from(JSON.stringify(target.sample), 'utf16le') })),
  invalid('random bytes', (random) => ({
    body: Buffer.from(Array.from({ length: random.int(1, 300) }, () => random.int(128, 255))),
  })),
  invalid('empty', () => ({ body: Buffer.alloc(0) })),
  invalid('blank up to the limit', (_random, target) => ({ body: Buffer.alloc(target.maxBodyBytes, ' ') })),
  tooLarge('one byte over the limit', (_random, target) => ({ body: padded(target, 1), chunked: false })),
  tooLarge('over the limit in chunks', (random, target) => ({
    body: padded(target, random.pick([1, random.int(2, 70_000)])),
    chunked: true,
  })),
  tooLarge('far over the limit', (random, target) => ({ body: padded(target, random.int(1, 1_000_000)) })),
  mediaType('of another type', (random, target) => ({
    headers: [bearer(target.key), ['content-type', random.pick(OTHER_TYPES)]],
  })),
  mediaType('of no type', (_random, target) => ({ headers: [bearer(target.key)] })),
  mediaType('compressed', (random, target) => ({
    headers: [
      bearer(target.key),
      JSON_TYPE,
      ['content-encoding', random.pick(['gzip', 'br', 'deflate', 'gzip, br', 'x'])],
    ],
  })),
  stranger('no key', () => ({ headers: [JSON_TYPE] })),
  stranger('no key and a broken body', () => ({ headers: [JSON_TYPE], body: Buffer.from('{"') })),
  stranger('no key and a body over the limit', (_random, target) => ({
    headers: [JSON_TYPE],
    body: padded(target, 1),
  })),
  stranger('unknown key', (random, target) => ({ headers: [wrongKey(random, target), JSON_TYPE] })),
  stranger('unknown key and another type', (random, target) => ({
    headers: [wrongKey(random, target), ['content-type', random.pick(OTHER_TYPES)]],
  })),
  stranger('key in the query', (random, target) => ({
    headers: [JSON_TYPE],
    path: `${target.path}?${random.pick(KEY_NAMES)}=${encodeURIComponent(target.key)}`,
  })),
  stranger('key in the body', (random, target) => ({
    headers: [JSON_TYPE],
    body: text({ ...target.sample, [random.pick(KEY_NAMES)]: target.key }),
  })),
  stranger('key in a cookie', (random, target) => ({
    headers: [JSON_TYPE, ['cookie', `${random.pick(KEY_NAMES)}=${target.key}`]],
  })),
  stranger('two different keys', (random, target) => ({
    headers: random.chance(0.5)
      ? [bearer(target.key), ['x-api-key', random.pick(['', 'other', `${target.key}x`])], JSON_TYPE]
      : [bearer('other'), ['x-api-key', target.key], JSON_TYPE],
  })),
  stranger('a key given twice', (random, target) => ({
    headers: [bearer(target.key), bearer(random.pick([target.key, 'other'])), JSON_TYPE],
  })),
  [
    'a method that is not there',
    405,
    'method_not_allowed',
    (random, { method }) => ({ method: random.pick([method === 'PUT' ? 'POST' : 'PUT', 'OPTIONS', 'TRACE']) }),
  ],
  [
    'a path that is not there',
    404,
    'not_found',
    (random, target) => ({
      path: random.pick([`${target.path}/`, `/x${target.path}`, target.path.toUpperCase(), `${target.path}/a/b/c/d/e`]),
    }),
  ],
  ...['', 'x'.repeat(256), 'caf\u00e9', 'a\tb'].map((value) =>
    invalid(`idempotency key ${JSON.stringify(value.slice(0, 5))}`, (_random, target) => ({
      headers: [bearer(target.key), JSON_TYPE, ['idempotency-key', value]],
    })),
  ),
  invalid('idempotency key twice', (_random, target) => ({
    headers: [bearer(target.key), JSON_TYPE, ['idempotency-key', 'a'], ['idempotency-key', 'b']],
  })),
];

const UNKNOWN = [
  ...['admin', 'userId', 'constructor', 'toString', '', ' ', 'a'.repeat(300)],
  ...['\u00fc', 'id[]', 'MARKETID', '0'],
];
const VALUES: readonly Json[] = [
  ...[true, false, 0, 1, -1, 1e308, '', 'text', '1', 'null'],
  ...[[], [1], ['x', {}], {}, { a: 1 }],
];
const KEY_NAMES = ['key', 'apiKey', 'api_key', 'X-Api-Key', 'authorization', 'access_token', 'token'];
const OTHER_TYPES = [
  ...['text/plain', 'text/json', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'],
  ...['application/xml', 'application/jsonp', 'application/merge-patch+json', 'application/octet-stream'],
  ...['application/json; charset=utf-16', 'application/json; charset=iso-8859-1', 'json', '*/*', ','],
];

const bearer = (key: string): readonly [string, string] => ['authorization', `Bearer ${key}`];
const text = (value: Json): Buffer => Buffer.from(JSON.stringify(value));
const kindOf = (value: Json): string => (Array.isArray(value) ? 'array' : typeof value);

function fieldsOf(target: BadRequestTarget, kind: string | null): string[] {
  return Object.keys(target.sample).filter((name) => kind === null || kindOf(target.sample[name] ?? null) === kind);
}

/** The sample with this text inside one of its text fields. */
function broken(random: Random, target: BadRequestTarget, inside: string): Buffer {
  const field = random.pick(fieldsOf(target, 'string'));
  return text({ ...target.sample, [field]: `x${inside}x` });
}

/** The sample with this text as the value of a field; JSON.stringify would never write such a text. */
function literal(random: Random, target: BadRequestTarget, kind: string | null, written: string): Change {
  const field = random.pick(fieldsOf(target, kind));
  return {
    body: Buffer.from(
      JSON.stringify({ ...target.sample, [field]: PLACEHOLDER }).replace(`"${PLACEHOLDER}"`, () => written),
    ),
  };
}

/** A valid body that is too large because of added spaces. */
function padded(target: BadRequestTarget, bytesOver: number): Buffer {
  const valid = text(target.sample);
  return Buffer.concat([valid, Buffer.alloc(target.maxBodyBytes + bytesOver - valid.length, ' ')]);
}

function wrongKey(random: Random, { key }: BadRequestTarget): readonly [string, string] {
  const tokens = [`${key}x`, key.slice(0, -1), 'svc_live_0000', 'k'.repeat(2_000), `"${key}"`, `${key} ${key}`];
  const schemes = [key, 'Bearer', '', `Basic ${Buffer.from(`${key}:`).toString('base64')}`, `Bearer${key}`];
  return random.pick<readonly [string, string]>([
    ...tokens.map(bearer),
    ...schemes.map((value) => ['authorization', value] as const),
    ...[`Bearer ${key}`, '', 'caf\u00e9'].map((value) => ['x-api-key', value] as const),
  ]);
}
