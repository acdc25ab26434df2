import type { Permission } from '@paper/exchange/vocabulary';
import type { z } from 'zod';
import type { ReadCost } from './cost.ts';
import type { ErrorCode } from './errors.ts';

/** The caller. `operator` calls carry an operator's token. `public` calls need no key; an invalid one is ignored. */
export type Caller = PublicCaller | KeyCaller | OperatorCaller;

export interface PublicCaller {
  readonly kind: 'public';
}

export interface KeyCaller {
  readonly kind: 'key';
  readonly accountId: string;
  readonly keyId: string;
  readonly permissions: readonly Permission[];
  readonly primaryAccountId: string | null;
  /** Whether the operator still has to approve the account, where that matters. Only the command side knows. */
  readonly awaitsApproval?: boolean;
  /** Whether the key has a mandate, for endpoints that grant rights. Only the command side has this information. */
  readonly hasMandate?: boolean;
}

export interface OperatorCaller {
  readonly kind: 'operator';
  readonly name: string;
  readonly scopes: readonly OperatorScope[] | null;
}

/** What an operator's token can be limited to. `accounts-own`: accounts that the same operator's name opened. */
export const OPERATOR_SCOPES = ['markets', 'signals', 'accounts', 'accounts-own'] as const;
export type OperatorScope = (typeof OPERATOR_SCOPES)[number];

/** The message of a call that its token's scopes do not permit. */
export const OUT_OF_SCOPE = 'Forbidden: the scopes of this operator token do not permit this';

/** Whether a token with the scopes `held` (null: all calls) may make a call that any of `needed` permits. */
export function isInScope(held: OperatorCaller['scopes'], needed: readonly OperatorScope[]): boolean {
  return held === null || needed.some((scope) => held.includes(scope));
}

export type Auth = Caller['kind'];

/** The media types that an answer with status 200 can have. */
export type MediaType = 'application/json' | 'application/x-ndjson' | 'text/csv' | 'text/event-stream';

/** The OpenAPI example of an endpoint: a request that works against the demo, and its answer. */
export interface EndpointExample {
  readonly params?: Readonly<Record<string, string>>;
  /** Query parameters, which Swagger UI fills in. A parameter whose value only a running service knows is left out. */
  readonly query?: Readonly<Record<string, string>>;
  readonly bodies?: Readonly<Record<string, unknown>>;
  /** The answer. For server-sent events it is the data of one event, for lines of JSON it is one line. */
  readonly answer: unknown;
  readonly csv?: string;
  readonly line?: unknown;
}

/**
 * An endpoint as data: Express mounts it, the OpenAPI document describes it, and the tests go through all of them. A
 * body's schema refuses unknown fields. A query's schema allows them, except where a mistyped name would do harm.
 */
export interface EndpointDeclaration<
  A extends Auth = Auth,
  P extends z.ZodType | null = z.ZodType | null,
  Q extends z.ZodType | null = z.ZodType | null,
  B extends z.ZodType | null = z.ZodType | null,
  R extends z.ZodType = z.ZodType,
> {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** The path, with `{name}` for a parameter as in OpenAPI. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly auth: A;
  /** The query parameter that makes a key necessary for a public read; the answer then waits for the projection. */
  readonly keyedBy: string | null;
  /** The permission that the key needs; null: any valid key. */
  readonly permission: Permission | null;
  /** An operator's token that has scopes needs one of these. Empty: no scope suffices. */
  readonly scopes: readonly OperatorScope[];
  /** Accepts only a primary account's key: a sub-account's key is refused before its permissions are checked. */
  readonly primaryOnly: boolean;
  /** Refused as `forbidden` to a key that has a mandate, since it could evade its limits with what this call grants. */
  readonly grantsRights: boolean;
  /** Refuses an account that awaits the operator's approval as `kyc_required`, after the permission was checked. */
  readonly approvedOnly: boolean;
  /** The rate limit that a call counts against: that of commands, or that of reads. */
  readonly kind: 'command' | 'read';
  /** The cost of a read against the rate limit; default: one. Null for a command, which always costs one. */
  readonly cost: ReadCost | null;
  readonly streams: boolean;
  /**
   * The media types of a 200, the default first. JSON is one `answer`; each line of application/x-ndjson is one `line`,
   * or one `answer` without a `line`. The endpoint's description explains its CSV.
   */
  readonly media: readonly MediaType[];
  /** Answers of a read carry an ETag; with it in If-None-Match the answer is 304 while nothing has changed. */
  readonly conditional: boolean;
  readonly idempotent: boolean;
  /** The list in the body of which each item gets a result of its own. Ten items count as one command. */
  readonly items: string | null;
  readonly maxBodyBytes: number;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly answer: R;
  /** The schema of a line in an answer of JSON lines, if that is one of several formats of a list; null: `answer`. */
  readonly line: z.ZodType | null;
  /** The error codes of this endpoint, beyond those that follow from its other properties (`impliedErrors`). */
  readonly errors: readonly ErrorCode[];
  readonly errorStatuses: Readonly<Partial<Record<ErrorCode, number>>>;
}

export interface Endpoint<
  A extends Auth = Auth,
  P extends z.ZodType | null = z.ZodType | null,
  Q extends z.ZodType | null = z.ZodType | null,
  B extends z.ZodType | null = z.ZodType | null,
  R extends z.ZodType = z.ZodType,
> extends EndpointDeclaration<A, P, Q, B, R> {
  readonly id: string;
}

type Parsed<S extends z.ZodType | null> = S extends z.ZodType ? z.output<S> : null;

/** The input of a handler, parsed and validated. */
export interface Input<P extends z.ZodType | null, Q extends z.ZodType | null, B extends z.ZodType | null> {
  readonly params: Parsed<P>;
  readonly query: Parsed<Q>;
  readonly body: Parsed<B>;
  /** The Idempotency-Key, if one is accepted and sent. `fingerprint`: SHA-256 (hex) of method, path and body. */
  readonly idempotency: { readonly key: string; readonly fingerprint: string } | null;
}

interface Answered {
  readonly seq: number;
  /** For a command: the hash of the journal's event at `seq`, once that event is durable. Becomes X-Journal-Hash. */
  readonly hash?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The Cache-Control header of a 200. Default: `no-cache`, or `no-store` if a key was needed or no ETag is. */
  readonly cacheControl?: string;
}

/** An answer that is already serialized. The code that made it guarantees that it fits the endpoint's schema. */
export interface PreSerialized extends Answered {
  readonly preSerialized: SerializedBytes;
  /** The answer's media type, one of the endpoint's; default `application/json`. */
  readonly mediaType?: MediaType;
  readonly body?: never;
}

/** A UTF-8 text, plain and compressed. */
export interface SerializedBytes {
  readonly bytes: Buffer;
  /** The text between the quotes of an ETag header (RFC 9110), different for different bytes. */
  readonly etag: string;
  readonly gzip?: Buffer;
  readonly br?: Buffer;
}

/** An answer whose body is still to be serialized as JSON. */
export interface BodyAnswer<T> extends Answered {
  readonly body: T;
  readonly preSerialized?: never;
}

export type Answer<T> = BodyAnswer<T> | PreSerialized;

export type Handler<E extends Endpoint> =
  E extends Endpoint<infer A, infer P, infer Q, infer B, infer R>
    ? (
        caller: Extract<Caller, { kind: A }>,
        input: Input<P, Q, B>,
        client: Client,
      ) => Answer<z.input<R>> | Promise<Answer<z.input<R>>>
    : never;

/** The client at the other end of a request's connection. */
export interface Client {
  /** Aborts when the client has disconnected or has its answer: the work is then no longer needed. */
  readonly signal: AbortSignal;
  /** The client's IPv4 address, or the /64 of its IPv6 address. Requests without a key are counted by it. */
  readonly address: string;
}

/** The largest body of an ordinary request: 64 KiB. */
export const MAX_BODY_BYTES = 64 * 1024;

const ONE: ReadCost = { base: 1 };

type RequiredField = 'path' | 'tag' | 'summary' | 'description' | 'auth' | 'answer';

/**
 * Declares an endpoint with its exact types, so that `Handler<typeof endpoints.placeOrder>` has the types of its
 * caller, input and answer. Omitted properties have the usual values: GET, any valid key, no parameters, no body, 64 KiB.
 */
export function defineEndpoint<
  const A extends Auth,
  R extends z.ZodType,
  P extends z.ZodType | null = null,
  Q extends z.ZodType | null = null,
  B extends z.ZodType | null = null,
>(
  declared: Pick<EndpointDeclaration<A, P, Q, B, R>, RequiredField> & Partial<EndpointDeclaration<A, P, Q, B, R>>,
): EndpointDeclaration<A, P, Q, B, R> {
  const { method = 'get', kind = method === 'get' ? 'read' : 'command' } = declared;
  return {
    method,
    kind,
    cost: kind === 'read' ? ONE : null,
    keyedBy: null,
    permission: null,
    scopes: [],
    primaryOnly: false,
    grantsRights: false,
    approvedOnly: false,
    streams: false,
    media: [declared.streams === true ? 'text/event-stream' : 'application/json'],
    conditional: false,
    idempotent: false,
    items: null,
    maxBodyBytes: MAX_BODY_BYTES,
    // A type parameter that defaults to null is null only if the declaration omits the property.
    params: null as P,
    query: null as Q,
    body: null as B,
    line: null,
    errors: [],
    errorStatuses: {},
    ...declared,
  };
}

type Identified<D> =
  D extends EndpointDeclaration<infer A, infer P, infer Q, infer B, infer R> ? Endpoint<A, P, Q, B, R> : never;

/** Gives each endpoint its name as its operationId. Only `path` is required of `D`: more would widen inferred types. */
export function withIds<const D extends Readonly<Record<string, Pick<EndpointDeclaration, 'path'>>>>(declarations: D) {
  const named = Object.entries(declarations).map(([id, declaration]) => [id, { id, ...declaration }]);
  return Object.fromEntries(named) as { readonly [N in keyof D]: Identified<D[N]> };
}
