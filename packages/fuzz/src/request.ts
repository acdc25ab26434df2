import type { Random } from '@paper/testkit';
import type { Api, Json, Operation } from './api.ts';
import { namedByPath } from './field-values.ts';
import type { Pool } from './pool.ts';
import type { Values } from './values.ts';

/** Keys that stay what they are for the whole run; those that answers tell of come and go. */
export interface Principals {
  readonly operator: string;
  /** Of a primary account, with every permission and much money. */
  readonly primary: string;
  /** The id of that account. */
  readonly primaryId: string;
  /** The same account's, which may only look. */
  readonly viewer: string;
  /** Of another fleet. */
  readonly foreign: string;
  /** Of a sub-account of the primary. */
  readonly sub: string;
  readonly revoked: string;
}

/** All that requests are made from. */
export interface World {
  readonly api: Api;
  readonly principals: Principals;
  /** What the service signs cursors with. */
  readonly cursorSecret: Buffer;
  readonly pool: Pool;
  readonly values: Values;
}

/** What an answer has to be, beyond being documented. */
export interface Expected {
  readonly statuses: readonly number[];
  readonly code?: string;
  /** The body of the answer that this one has to repeat. */
  readonly repeats?: string;
}

export interface FuzzRequest {
  /** What it is, in words: `valid`, `body: nested deeply`. */
  readonly kind: string;
  /** Null where it is none of the document's: then any refusal with `{error, code}` will do. */
  readonly operation: Operation | null;
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Null: none is sent. */
  readonly body: Buffer | null;
  /** The body is sent in chunks, without a length. */
  readonly chunked: boolean;
  /** The credential that it carries rightly. */
  readonly key: string | null;
  readonly expected: Expected | null;
  /** Sent as they are, in place of all this. */
  readonly bytes?: Buffer;
  /** Of a stream: it is read up to an event; else up to the end of its first block. */
  readonly untilEvent?: boolean;
}

/** A request that is still to be spoilt or sent. */
export interface Draft {
  readonly operation: Operation;
  path: string;
  query: (readonly [name: string, value: string])[];
  headers: (readonly [name: string, value: string])[];
  key: string | null;
  body: Json | undefined;
}

/** A request that the document allows in every part, by somebody who may be refused. */
export function draftOf(random: Random, operation: Operation, world: World): Draft {
  const owners: string[] = [];
  const path = operation.template.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const named = namedByPath(random, world.pool, operation, name);
    if (named !== null && typeof named !== 'string') owners.push(named.key);
    const text = typeof named === 'string' ? named : (named?.id ?? 'nothing-yet');
    return encodeURIComponent(text);
  });
  // An operator may use what belongs to anybody, and whoever owns it may not use the operator's operations.
  const owner = operation.auth === 'operator' ? undefined : owners[0];
  const key = random.chance(0.9) && owner !== undefined ? owner : callerOf(random, operation, world);
  return {
    operation,
    path,
    query: queryOf(random, operation, world),
    headers: headersOf(random, operation),
    key,
    body: operation.body === null ? undefined : world.values.valid(random, operation.body, placeOf(operation)),
  };
}

/** The same by somebody who is not refused, so that what is spoilt in it is the only thing wrong. */
export function entitledDraftOf(random: Random, operation: Operation, world: World): Draft {
  return Object.assign(draftOf(random, operation, world), { key: entitled(operation, world.principals) });
}

export function entitled({ auth }: Operation, { operator, primary }: Principals): string | null {
  return auth === 'public' ? null : auth === 'operator' ? operator : primary;
}

export const placeOf = ({ id }: Operation) => ({ operationId: id, name: '' });

export function requestOf(draft: Draft, kind: string, expected: Expected | null = null): FuzzRequest {
  const { body, key, operation, path, query } = draft;
  const headers = [...draft.headers];
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

function callerOf(random: Random, { auth }: Operation, { principals, pool }: World): string | null {
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

function queryOf(random: Random, { id, parameters }: Operation, { values }: World): Draft['query'] {
  return parameters
    .filter((parameter) => parameter.in === 'query' && (parameter.required || random.chance(0.4)))
    .map(({ name, schema }) => [name, textOf(values.valid(random, schema, { operationId: id, name }))]);
}

const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Idempotency-Key and Last-Event-ID; a tag in If-None-Match is of an answer that there was. */
function headersOf(random: Random, { parameters }: Operation): Draft['headers'] {
  const taken = new Set(parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name));
  const headers: Draft['headers'] = [];
  if (taken.has('Idempotency-Key') && random.chance(0.3)) headers.push(['idempotency-key', `fz-${random.hex(12)}`]);
  if (taken.has('Last-Event-ID') && random.chance(0.3)) headers.push(['last-event-id', String(random.int(1, 300))]);
  return headers;
}
