import type { IncomingMessage, ServerResponse } from 'node:http';
import { hash } from 'node:crypto';
import type { Client, Endpoint } from '@paper/contracts';
import proxyAddr from 'proxy-addr';
import { timesGiven } from './raw-headers.ts';
import { rateLimitHeaders, addressSubject } from './rate-limit.ts';
import type { Verdict } from './rate-limit.ts';
import { isRelayed } from './relay.ts';

/** The route label of requests that match no route. */
export const NO_ROUTE = 'none';

/** A request with its answer and the state of the pipeline, which a framework would keep on its own objects. */
export interface Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The client's X-Request-Id if it is valid, else a new one. */
  readonly requestId: string;
  /** The arrival of the request, by the monotonic clock in ms. */
  readonly startedMs: number;
  /** The client's address, which only trusted proxies may set; undefined if the client has already disconnected. */
  readonly address: string | undefined;
  /** The pattern of the route: metrics are labelled by pattern, never by URL. */
  pattern: string;
  errorStatuses: Endpoint['errorStatuses'];
  isPrivate: boolean;
  /** Answers at this URL differ by the key that a request carries, or by whether it carries one. */
  variesByKey: boolean;
  /** The answer shows every command that was answered before the request. */
  isFresh: boolean;
  /** The answer lasts until the client disconnects, which is no failure; its duration is not measured. */
  isStream: boolean;
  /** The verdict of the rate limiter; null before the request was counted, and without limits. */
  verdict: Verdict | null;
  /** Header names and values, one after the other. */
  securityHeaders: readonly string[];
}

/** A request's path, as it was sent: without its query, and without the host of the absolute form (RFC 9112, 3.2.2). */
export function pathOf({ url = '/' }: Pick<IncomingMessage, 'url'>): string {
  const end = url.indexOf('?');
  const path = end === -1 ? url : url.slice(0, end);
  return path.startsWith('/') ? path : path.replace(/^[a-z]+:\/\/[^/]*/i, '');
}

/** A request's target as a URL, whose host means nothing. Also of a target that is no URL by itself, such as `//`. */
export function targetOf({ url = '/' }: Pick<IncomingMessage, 'url'>): URL {
  const query = url.indexOf('?');
  const path = pathOf({ url }).replace(/^\//, '');
  return new URL(`http://localhost/${path}${query === -1 ? '' : url.slice(query)}`);
}

/** The headers of every answer, as alternating names and values, to which each answer adds its own. */
export function headersOf({ requestId, securityHeaders, variesByKey, verdict }: Call): (string | number)[] {
  const headers = ['x-request-id', requestId, ...securityHeaders];
  if (variesByKey) headers.push('vary', 'authorization, x-api-key');
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

/** Aborts when the answer has been sent, or its connection has ended. */
function signalOf({ response }: Call): AbortSignal {
  const controller = new AbortController();
  const reason = (): Error => new DOMException('the client does not wait for this request any more', 'AbortError');
  const abort = (): void => controller.abort(reason());
  if (response.closed) abort();
  else response.once('close', abort);
  return controller.signal;
}

/** The proxies of a service, and how far their X-Forwarded-For is trusted. */
export interface TrustedProxies {
  /** The address of a request's client; undefined if the client has already disconnected. */
  readonly clientOf: (request: IncomingMessage) => string | undefined;
  /** Whether a trusted proxy sent the request, so that its connections carry the requests of several clients. */
  readonly sent: (request: IncomingMessage) => boolean;
}

/**
 * Reads X-Forwarded-For from the right, as long as a trusted proxy sent the entry: addresses, subnets, or names of
 * proxy-addr (`loopback`). A relay of this process (relay.ts) is trusted by its secret. Throws TypeError for other
 * names.
 */
export function trustedProxies(names: readonly string[], relaySecret: string | null = null): TrustedProxies {
  const trust = proxyAddr.compile([...names]);
  const isRelay = (request: IncomingMessage): boolean => relaySecret !== null && isRelayed(request, relaySecret);
  return {
    clientOf(request) {
      if (isRelay(request)) return proxyAddr(request, (address, hop) => hop === 0 || trust(address, hop));
      return names.length === 0 ? request.socket.remoteAddress : proxyAddr(request, trust);
    },
    sent: (request) => isRelay(request) || trust(request.socket.remoteAddress ?? '', 0),
  };
}

/** The credentials of a request; `malformed` unless the headers hold exactly one key, `bearer`: in Authorization. */
export type Credentials =
  | { readonly kind: 'none' }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'key'; readonly hash: string; readonly bearer: boolean };

/** The form in which keys and tokens are stored and compared: SHA-256, hex. */
export function hashKey(key: string): string {
  return hash('sha256', key, 'hex');
}

const TOKEN = /^[\x21-\x7e]{1,512}$/;

type Headers = Pick<IncomingMessage, 'headers' | 'rawHeaders'>;

/** Reads `Authorization: Bearer <key>` (scheme in any case) and `X-Api-Key`. Never reads query or body. */
export function readCredentials(request: Headers): Credentials {
  const presented = readPresented(request);
  if (typeof presented === 'string') return { kind: presented };
  return { kind: 'key', hash: hashKey(presented.key), bearer: presented.bearer };
}

/** The key of a request as it was sent, for services that pass it on; null unless the headers hold exactly one key. */
export function readKey(request: Headers): string | null {
  const presented = readPresented(request);
  return typeof presented === 'string' ? null : presented.key;
}

function readPresented(request: Headers): 'none' | 'malformed' | { readonly key: string; readonly bearer: boolean } {
  const { headers, rawHeaders } = request;
  const { authorization, 'x-api-key': fromHeader } = headers;
  if (authorization === undefined && fromHeader === undefined) return 'none';
  // Node drops all but the first of a repeated Authorization header, so they are counted. It joins a repeated
  // X-Api-Key, which is then no valid token.
  if (authorization !== undefined && timesGiven(rawHeaders, 'authorization') > 1) return 'malformed';
  const fromBearer = authorization === undefined ? undefined : (/^bearer +(.*)$/i.exec(authorization)?.[1] ?? '');
  if (fromBearer !== undefined && fromHeader !== undefined && fromBearer !== fromHeader) return 'malformed';
  const key = fromBearer ?? fromHeader ?? '';
  return typeof key === 'string' && TOKEN.test(key) ? { key, bearer: fromBearer !== undefined } : 'malformed';
}
