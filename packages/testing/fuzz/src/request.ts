import type { Random } from '@paper/testkit';
import type { Api, Json, Operation } from './api.ts';
import { namedByPath } from './field-values.ts';
import type { Pool } from './pool.ts';
import type { Values } from './values.ts';

/** The API keys of the senders, and the operator's token. They stay valid, unlike keys of the pool. */
export interface Principals {
  readonly operator: string;
  /** A key of a primary account, with every permission. The account has much money. */
  readonly primary: string;
  readonly primaryId: string;
  /** A key of the same account with the permission `view` only. */
  readonly viewer: string;
  /** A key of another primary account. */
  readonly foreign: string;
  /** A key of a sub-account of `primary`. */
  readonly sub: string;
  readonly revoked: string;
}

/** What requests are made from. */
export interface FuzzContext {
  readonly api: Api;
  readonly principals: Principals;
  readonly cursorSecret: Buffer;
  readonly pool: Pool;
  readonly values: Values;
}

/** Expectations of an answer, in addition to the document. */
export interface Expected {
  readonly statuses: readonly number[];
  readonly code?: string;
  /** The body that this answer must repeat. */
  readonly repeats?: string;
}

export interface FuzzRequest {
  /** What is special about the request, such as `valid` or `body: nested deeply`. */
  readonly kind: string;
  /** Null for a request that is no operation of the document: any refusal with `{error, code}` is right. */
  readonly operation: Operation | null;
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer | null;
  readonly chunked: boolean;
  readonly key: string | null;
  readonly expected: Expected | null;
  /** Raw bytes that replace all other fields. */
  readonly bytes?: Buffer;
  /** Whether a stream is read up to its first event, and not only to the end of its first block. */
  readonly untilEvent?: boolean;
}

/** A request that is still to be changed or sent. */
export interface Draft {
  readonly operation: Operation;
  path: string;
  query: (readonly [name: string, value: string])[];
  headers: (readonly [name: string, value: string])[];
  key: string | null;
  body: Json | undefined;
}

/** A request that the document allows, by a caller that may be refused. */
export function draftOf(random: Random, operation: Operation, context: FuzzContext): Draft {
  const owners: string[] = [];
  const path = operation.template.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const named = namedByPath(random, context.pool, operation, name);
    if (named !== null && typeof named !== 'string') owners.push(named.key);
    const text = typeof named === 'string' ? named : (named?.id ?? 'nothing-yet');
    return encodeURIComponent(text);
  });
  // An operator may use every account's ids. An account's key may not use the operations of operators.
  const owner = operation.auth === 'operator' ? undefined : owners[0];
  const key = random.chance(0.9) && owner !== undefined ? owner : callerOf(random, operation, context);
  return {
    operation,
    path,
    query: queryOf(random, operation, context),
    headers: headersOf(random, operation),
    key,
    body: operation.body === null ? undefined : context.values.valid(random, operation.body, placeOf(operation)),
  };
}

/** A valid draft by a caller with the needed permission, so that a fault added to it is the only one. */
export function permittedDraft(random: Random, operation: Operation, context: FuzzContext): Draft {
  return Object.assign(draftOf(random, operation, context), { key: permittedKey(operation, context.principals) });
}

export function permittedKey({ auth }: Operation, { operator, primary }: Principals): string | null {
  return auth === 'public' ? null : auth === 'operator' ? operator : primary;
}

export const placeOf = ({ id }: Operation) => ({ operationId: id, name: '' });

export function requestOf(
  draft: Pick<Draft, 'key' | 'operation' | 'path'> & Partial<Draft>,
  kind: string,
  expected: Expected | null = null,
): FuzzRequest {
  const { body, key, operation, path, query = [] } = draft;
  const headers = [...(draft.headers ?? [])];
  if (key !== null) headers.push(['authorization', `Bearer ${key}`]);
  if (body !== undefined) headers.push(['content-type', 'application/json']);
  const asked = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
  return {
    kind,
    operation,
    method: operation.method,
    path: asked === '' ? path : `${path}?${asked}`,
    headers,
    body: body === undefined ? null : Buffer.from(JSON.stringify(body)),
    chunked: false,
    key,
    expected,
  };
}

function callerOf(random: Random, { auth }: Operation, { principals, pool }: FuzzContext): string | null {
  if (auth === 'operator') return principals.operator;
  if (auth === 'public' && random.chance(0.8)) return null;
  const newest = pool.primaries.pick(random) ?? principals.primary;
  const subAccount = pool.subKeys.pick(random) ?? principals.sub;
  return random.weighted([
    [9, principals.primary],
    [5, newest],
    [3, subAccount],
    [2, principals.foreign],
    [1, principals.viewer],
  ]);
}

function queryOf(random: Random, { id, parameters }: Operation, { values }: FuzzContext): Draft['query'] {
  return parameters
    .filter((parameter) => parameter.in === 'query' && (parameter.required || random.chance(0.4)))
    .map(({ name, schema }) => [name, textOf(values.valid(random, schema, { operationId: id, name }))]);
}

const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Idempotency-Key, Last-Event-ID, and If-None-Match with an ETag of an earlier answer. */
function headersOf(random: Random, { parameters }: Operation): Draft['headers'] {
  const taken = new Set(parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name));
  const headers: Draft['headers'] = [];
  if (taken.has('Idempotency-Key') && random.chance(0.3)) headers.push(['idempotency-key', `fz-${random.hex(12)}`]);
  if (taken.has('Last-Event-ID') && random.chance(0.3)) headers.push(['last-event-id', String(random.int(1, 300))]);
  return headers;
}
