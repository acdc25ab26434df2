import type { IncomingMessage } from 'node:http';

/**
 * Pages of any origin may call the API, with keys but never with cookies. Pages of other origins cannot call operators'
 * endpoints.
 * @see https://fetch.spec.whatwg.org/#http-cors-protocol
 */

const METHODS = 'GET, POST, PATCH, PUT, DELETE';
const REQUEST_HEADERS =
  'Authorization, X-Api-Key, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, X-Request-Id';
const EXPOSED_HEADERS =
  'X-Journal-Seq, X-Journal-Hash, X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, Link, ETag, Allow, ' +
  'Idempotent-Replayed, X-Time, X-Feed-Time';
/** How long browsers may cache a preflight's answer: a day (Chromium limits it to two hours). */
const MAX_AGE_SECONDS = 86_400;

/** Names and values of the headers that let pages of other origins read an answer. */
export const CROSS_ORIGIN_HEADERS: readonly string[] = [
  'access-control-allow-origin',
  '*',
  'access-control-expose-headers',
  EXPOSED_HEADERS,
];

/** Names and values of the headers of the answer to a preflight request: the permitted methods and headers. */
export const PREFLIGHT_HEADERS: readonly (string | number)[] = [
  'access-control-allow-methods',
  METHODS,
  'access-control-allow-headers',
  REQUEST_HEADERS,
  'access-control-max-age',
  MAX_AGE_SECONDS,
];

/** Whether pages of other origins may call this path. */
export function allowsCrossOrigin(path: string): boolean {
  return path.startsWith('/api/') && path !== '/api/operator' && !path.startsWith('/api/operator/');
}

export function isPreflight({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && 'access-control-request-method' in headers;
}
