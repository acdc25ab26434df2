import type { IncomingMessage, ServerResponse } from 'node:http';
import { createHash } from 'node:crypto';
import type { Client, Endpoint } from '@paper/contracts';
import proxyAddr from 'proxy-addr';
import { rateLimitHeaders, addressSubject } from './rate-limit.ts';
import type { Verdict } from './rate-limit.ts';

/** The pattern of requests that match no route. */
export const NO_ROUTE = 'none';

/**
 * A request on its way through the pipeline, with its answer. The pipeline keeps its state here and not on the objects
 * of a framework, because the most frequent reads bypass the framework.
 */
export interface Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The client's X-Request-Id where it is valid, else a new one. */
  readonly requestId: string;
  /** The client's address, by trusted proxies only; undefined when it has disconnected already. */
  readonly address: string | undefined;
  /** The pattern of the route: metrics are labelled by pattern, never by URL. */
  pattern: string;
  /** Those of the route's endpoint. */
  errorStatuses: Endpoint['errorStatuses'];
  /** The answer is for this caller only. */
  isPrivate: boolean;
  /** The answer goes on until the client disconnects, so a disconnect is no failure and its duration is not measured. */
  isStream: boolean;
  /** The verdict of the rate limiter; null before the request was counted, and without limits. */
  verdict: Verdict | null;
  /** Header names and values, one after the other. */
  securityHeaders: readonly string[];
}

/** Headers of every answer, as alternating names and values, to which each answer adds its own. */
export function headersOf({ requestId, securityHeaders, verdict }: Call): (string | number)[] {
  const headers = ['x-request-id', requestId, ...securityHeaders];
  if (verdict !== null) headers.push(...rateLimitHeaders(verdict));
  return headers;
}

/** The client of a call. Its signal is created when it is first read, since most handlers do not use it. */
export class CallClient implements Client {
  #signal: AbortSignal | null = null;

  constructor(private readonly call: Call) {}

  get address(): string {
    return addressSubject(this.call.address);
  }

  get signal(): AbortSignal {
    this.#signal ??= signalOf(this.call);
    return this.#signal;
  }
}

/** Aborts when the answer has been sent, or its connection is gone. */
function signalOf({ response }: Call): AbortSignal {
  const controller = new AbortController();
  const abort = (): void => controller.abort(new Error('the client does not wait for this request any more'));
  if (response.closed) abort();
  else response.once('close', abort);
  return controller.signal;
}

/** Finds the address of a client, using X-Forwarded-For of trusted proxies only. Undefined: it has disconnected already. */
export type AddressOf = (request: IncomingMessage) => string | undefined;

/**
 * Reads X-Forwarded-For from the right, as long as the sender of an entry is one of the trusted proxies: addresses,
 * subnets, or the names that proxy-addr defines (`loopback`, `linklocal`, `uniquelocal`).
 *
 * @throws TypeError for anything else.
 */
export function addressOf(trustedProxies: readonly string[]): AddressOf {
  if (trustedProxies.length === 0) return ({ socket }) => socket.remoteAddress;
  const trust = proxyAddr.compile([...trustedProxies]);
  return (request) => proxyAddr(request, trust);
}

/**
 * The credentials of a request. `malformed`: the headers do not hold exactly one key (two different keys, a header given
 * twice, another scheme than Bearer). `scheme` says whether the Authorization header carried it.
 */
export type Credentials =
  | { readonly kind: 'none' }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'key'; readonly hash: string; readonly bearer: boolean };

/** The form in which keys and tokens are stored and compared: SHA-256, hex. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key, 'utf8').digest('hex');
}

const TOKEN = /^[\x21-\x7e]{1,512}$/;

/** Reads `Authorization: Bearer <key>` (scheme in any case) and `X-Api-Key`. Only headers count: never query or body. */
export function readCredentials(request: Pick<IncomingMessage, 'headers' | 'headersDistinct'>): Credentials {
  // Most reads have no credentials. Looking for repeated headers costs more than everything else here.
  const { headers } = request;
  if (headers.authorization === undefined && headers['x-api-key'] === undefined) return { kind: 'none' };
  const authorization = request.headersDistinct['authorization'] ?? [];
  const apiKey = request.headersDistinct['x-api-key'] ?? [];
  if (authorization.length + apiKey.length === 0) return { kind: 'none' };
  if (authorization.length > 1 || apiKey.length > 1) return { kind: 'malformed' };
  const fromBearer = authorization[0] === undefined ? undefined : (/^bearer +(.*)$/i.exec(authorization[0])?.[1] ?? '');
  const fromHeader = apiKey[0];
  if (fromBearer !== undefined && fromHeader !== undefined && fromBearer !== fromHeader) return { kind: 'malformed' };
  const key = fromBearer ?? fromHeader ?? '';
  if (!TOKEN.test(key)) return { kind: 'malformed' };
  return { kind: 'key', hash: hashKey(key), bearer: fromBearer !== undefined };
}
