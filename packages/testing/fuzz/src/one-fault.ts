import type { Random } from '@paper/testkit';
import { anyBadRequest } from '@paper/testkit/http';
import type { Json, Operation } from './api.ts';
import { forgedCursor } from './forged-cursor.ts';
import type { Maker } from './ordinary.ts';
import { draftOf, permittedKey, permittedDraft, placeOf, requestOf } from './request.ts';
import type { FuzzRequest, FuzzContext } from './request.ts';

const INVALID = { statuses: [400], code: 'validation_failed' } as const;
const UNAUTHENTICATED = { statuses: [401], code: 'not_authenticated' } as const;

/** Requests with exactly one fault. */
export const ONE_FAULT_MAKERS: readonly (readonly [weight: number, make: Maker])[] = [
  [12, badBody],
  [9, badField],
  [2, fieldTwice],
  [5, badParameter],
  [3, forgedCursor],
  [2, parameterTwice],
  [1, unknownParameter],
  [4, unknownPath],
  [1, brokenPath],
  [4, unauthenticated],
  [5, wrongKey],
  [2, wrongMethod],
];

type JsonObject = Readonly<Record<string, Json>>;

function bodyOf(random: Random, operation: Operation, { values }: FuzzContext): JsonObject | null {
  return operation.body === null ? null : (values.valid(random, operation.body, placeOf(operation)) as JsonObject);
}

/** Makes a body that is malformed in one of the ways of `badRequests`, with its expected status and code. */
function badBody(random: Random, operation: Operation, context: FuzzContext): FuzzRequest | null {
  const sample = bodyOf(random, operation, context);
  const key = permittedKey(operation, context.principals);
  if (operation.body === null || sample === null || Object.keys(sample).length === 0 || key === null) return null;
  const items = context.api.itemsOf(operation.body);
  const { method, path } = requestOf(permittedDraft(random, operation, context), '');
  const bad = anyBadRequest(random, {
    method: method === 'PATCH' || method === 'PUT' ? method : 'POST',
    path,
    key,
    sample,
    required: context.api.resolve(operation.body).required ?? [],
    maxBodyBytes: operation.maxBodyBytes,
    idempotent: operation.parameters.some(({ name }) => name === 'Idempotency-Key'),
    nullable: context.api.fits(operation.body, null),
    ...(items === null ? {} : { items }),
  });
  const isThere = bad.status !== 404 && bad.status !== 405;
  const { name, status, code, ...made } = bad;
  return {
    ...made,
    kind: `body: ${name}`,
    operation: isThere ? operation : null,
    key: null,
    expected: { statuses: [status], code },
  };
}

function badField(random: Random, operation: Operation, context: FuzzContext): FuzzRequest | null {
  const sample = bodyOf(random, operation, context);
  if (sample === null) return null;
  const { properties = {} } = context.api.resolve(operation.body ?? {});
  const name = random.pick(Object.keys(properties));
  const value = context.values.invalid(random, properties[name] ?? {});
  if (value === undefined) return null;
  const draft = permittedDraft(random, operation, context);
  return requestOf({ ...draft, body: { ...sample, [name]: value } }, 'a field that is refused', INVALID);
}

/** Makes JSON that names a field twice; the document does not say which of the two counts. */
function fieldTwice(random: Random, operation: Operation, context: FuzzContext): FuzzRequest | null {
  const sample = bodyOf(random, operation, context);
  const other = bodyOf(random, operation, context);
  if (sample === null || other === null || Object.keys(other).length === 0) return null;
  const [first, second] = [sample, other].map((one) => JSON.stringify(one).slice(1, -1));
  const request = requestOf({ ...permittedDraft(random, operation, context), body: sample }, 'fields twice');
  return { ...request, body: Buffer.from(`{${first === '' ? '' : `${first},`}${second}}`) };
}

function queryParameters({ parameters }: Operation) {
  return parameters.filter((parameter) => parameter.in === 'query');
}

const ODD_TEXTS = [
  ...['', ' ', '0', '-1', '1.5', '1e3', 'abc', '+1', '01', '\u0000', 'x'.repeat(501), '9'.repeat(40), 'YES'],
];

/** Makes a query parameter that the document refuses, or a forged cursor. */
function badParameter(random: Random, operation: Operation, context: FuzzContext): FuzzRequest | null {
  const parameters = queryParameters(operation);
  if (parameters.length === 0) return null;
  const { name, schema } = random.pick(parameters);
  const text = random.pick(ODD_TEXTS);
  const draft = permittedDraft(random, operation, context);
  draft.query = [...draft.query.filter(([other]) => other !== name), [name, text]];
  const refused = name === 'cursor' || !context.api.fitsText(schema, text);
  return requestOf(draft, `${name}: ${refused ? 'refused' : 'odd'}`, refused ? INVALID : null);
}

function parameterTwice(random: Random, operation: Operation, context: FuzzContext): FuzzRequest | null {
  const parameters = queryParameters(operation);
  if (parameters.length === 0) return null;
  const { name } = random.pick(parameters);
  const draft = permittedDraft(random, operation, context);
  draft.query.push([name, '1'], [name, '1']);
  return requestOf(draft, 'a parameter twice', INVALID);
}

/** Makes an unknown query parameter, which is ignored, or refused where the document says so. */
function unknownParameter(random: Random, operation: Operation, context: FuzzContext): FuzzRequest {
  const draft = (operation.strictQuery ? permittedDraft : draftOf)(random, operation, context);
  draft.query.push([random.pick(['apiKey', '__proto__', 'constructor', 'limit[]', 'é', '\u0000', '']), random.hex(4)]);
  return requestOf(draft, 'an unknown parameter', operation.strictQuery ? INVALID : null);
}

const NAMES_OF_NOTHING = [
  ...['nothing', '..', '.', '0', '-1', 'null', 'undefined', '__proto__', 'constructor', 'signals', 'recent', ' ', '%'],
  ...['a/b', '../../etc/passwd', '🚀', 'e\u0301', '\u202e', "'or 1=1--", 'a'.repeat(2_000), '{id}', '*', '\r\nX: y'],
  '00000000-0000-7000-8000-000000000000',
];

/** Makes a path with an unknown id, or with an id of another kind. */
function unknownPath(random: Random, operation: Operation, context: FuzzContext): FuzzRequest | null {
  if (!operation.template.includes('{')) return null;
  const { pool } = context;
  const text = random.chance(0.6)
    ? random.pick(NAMES_OF_NOTHING)
    : (random.pick([pool.markets.pick(random), pool.orders.pick(random)?.id, pool.keyIds.pick(random)?.id]) ?? 'x');
  const draft = permittedDraft(random, operation, context);
  draft.path = operation.template.replace(/\{\w+\}/, encodeURIComponent(text));
  // Clients normalize a path segment of dots, so such a segment cannot be an id.
  return requestOf(draft, 'a path to something else');
}

/** Makes a path with percent-encoded bytes that are not UTF-8, or with NUL. */
function brokenPath(random: Random, operation: Operation, context: FuzzContext): FuzzRequest | null {
  if (!operation.template.includes('{')) return null;
  const draft = permittedDraft(random, operation, context);
  draft.path = operation.template.replace(/\{\w+\}/, random.pick(['%ff', '%', '%c0%80', '%00', '%ed%a0%80', '%zz']));
  return requestOf(draft, 'a path that is broken', INVALID);
}

function unauthenticated(random: Random, operation: Operation, context: FuzzContext): FuzzRequest {
  const request = requestOf({ ...permittedDraft(random, operation, context), key: null }, 'without a valid key');
  const shown = random.pick<readonly (readonly [string, string])[]>([
    [],
    [['authorization', `Bearer svc_live_${random.hex(32)}`]],
    [['x-api-key', random.hex(8)]],
    [['authorization', `Basic ${random.hex(16)}`]],
    [['authorization', 'Bearer']],
    [['authorization', `Bearer ${context.principals.revoked}`]],
    [
      ['authorization', `Bearer ${context.principals.primary}`],
      ['x-api-key', context.principals.foreign],
    ],
  ]);
  return {
    ...request,
    headers: [...request.headers, ...shown],
    expected: operation.auth === 'public' || operation.auth === 'optional' ? null : UNAUTHENTICATED,
  };
}

/** Makes a request with a known key, which may lack the permission. */
function wrongKey(random: Random, operation: Operation, context: FuzzContext): FuzzRequest | null {
  const { principals } = context;
  if (operation.auth === 'public') return null;
  const draft = draftOf(random, operation, context);
  if (operation.auth === 'operator') {
    const key = random.pick([principals.primary, principals.viewer, principals.sub]);
    return requestOf({ ...draft, key }, "an account's key for an operator", { statuses: [403], code: 'forbidden' });
  }
  const key = random.pick([principals.viewer, principals.sub, principals.foreign, principals.operator]);
  return requestOf(
    { ...draft, key },
    "somebody else's key",
    key === principals.operator && operation.auth === 'key' ? UNAUTHENTICATED : null,
  );
}

function wrongMethod(random: Random, operation: Operation, context: FuzzContext): FuzzRequest {
  const isThere = (method: string): boolean =>
    context.api.operations.some((other) => other.template === operation.template && other.method === method);
  const method = random.pick(['PUT', 'OPTIONS', 'TRACE', 'PROPFIND'].filter((one) => !isThere(one)));
  const expected = { statuses: [405], code: 'method_not_allowed' };
  const request = requestOf(permittedDraft(random, operation, context), 'a method that is not there', expected);
  return { ...request, method, operation: null };
}
