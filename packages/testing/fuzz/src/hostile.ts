import type { Random } from '@paper/testkit';
import { anyBadBytes } from '@paper/testkit/http';
import type { Operation } from './api.ts';
import type { Maker } from './ordinary.ts';
import { draftOf, permittedDraft, requestOf } from './request.ts';
import type { FuzzRequest, FuzzContext } from './request.ts';

/** Requests that no well-meaning client sends. */
export const HOSTILE_MAKERS: readonly (readonly [weight: number, make: Maker])[] = [
  [2, bytes],
  [3, noPath],
  [2, noQuery],
  [4, oddHeaders],
  [2, headersTooLarge],
  [2, unwantedBody],
];

const nothing = (method: string, path: string): Omit<FuzzRequest, 'kind'> => ({
  operation: null,
  method,
  path,
  headers: [],
  body: null,
  chunked: false,
  key: null,
  expected: null,
});

function bytes(random: Random, { template }: Operation): FuzzRequest {
  const bad = anyBadBytes(random, template);
  return {
    ...nothing('-', template),
    kind: `bytes: ${bad.name}`,
    bytes: bad.bytes,
    expected: { statuses: [bad.status] },
  };
}

const PATHS = [
  ...['/wp-login.php', '/.env', '/api', '/api/', '/api//markets', '/API/MARKETS', '/api/markets/'],
  ...['/api/markets/a/b/c', '/../../etc/passwd', '/api/..%2f..%2fetc/passwd', '/%2e%2e/', '/api/markets;x=1'],
  ...['/api/%6darkets/', '/%00', '/%ff', '//evil.example/api/markets', 'http://evil.example/nowhere', '*', '/\\'],
  ...['/api/operator', '/api/operator/secrets', '/metrics', '/health/events', '/debug/pprof', '/api/orders/a/b'],
  ...['/api/accounts', `/${'a'.repeat(8_000)}`, '/?x=/api'],
];

/** Makes a path without an operation. The pages for browsers are outside the API, so a GET of `/` would find one. */
function noPath(random: Random, _operation: Operation, { principals }: FuzzContext): FuzzRequest {
  const method = random.pick(['GET', 'POST', 'DELETE', 'PATCH', 'PUT']);
  const request = { ...nothing(method, random.pick(PATHS)), kind: 'a path that is not there' };
  return {
    ...request,
    headers: random.chance(0.5) ? [['authorization', `Bearer ${principals.primary}`]] : [],
    // `/?x=/api` is a page. The other paths get 404, or 400 if the percent-encoding is broken.
    expected: request.path.startsWith('/?') ? { statuses: [200, 405] } : { statuses: [400, 404] },
  };
}

/** Makes a query that no client sends. An endpoint without parameters ignores it. */
function noQuery(random: Random, operation: Operation, context: FuzzContext): FuzzRequest {
  const request = requestOf(draftOf(random, operation, context), 'a query that is none');
  const query = random.pick([
    Array.from({ length: random.int(90, 400) }, (_, at) => `a${at}=1`).join('&'),
    'limit=%ff',
    'limit=%',
    '&&&&=&==',
    '__proto__[limit]=1&constructor.prototype=1',
    `x=${'a'.repeat(12_000)}`,
    'limit=1;limit=2',
    'limit[]=1',
    '?limit=1',
  ]);
  return { ...request, path: `${request.path.split('?')[0] ?? ''}?${query}` };
}

/** Makes headers that must not change the answer, and must not be trusted. */
function oddHeaders(random: Random, operation: Operation, context: FuzzContext): FuzzRequest {
  const request = requestOf(draftOf(random, operation, context), 'odd headers');
  const odd = random.pick<readonly (readonly [string, string])[]>([
    [['x-forwarded-for', `10.0.0.${random.int(0, 300)}, ::1, "'`]],
    [['forwarded', 'for=unknown;host=evil.example']],
    [['x-http-method-override', 'DELETE']],
    [['range', 'bytes=0-1']],
    [['if-modified-since', 'Sat, 21 Nov 2099 00:00:00 GMT']],
    [['accept', 'text/html;q=1.0, image/*;q=0']],
    [['cookie', `session=${'a'.repeat(4_000)}; =; ;`]],
    [['x-request-id', '\u00e9<script>']],
    [['x-request-id', 'a'.repeat(64)]],
    [['if-none-match', '"'.repeat(2_000)]],
    [['accept-encoding', 'br;q=x, gzip;q=-1, *;q=1e400']],
    [['expect', '100-continue']],
    [['te', 'trailers, deflate']],
    [['origin', 'https://evil.example']],
    [['last-event-id', '99999999999999999999']],
    [['last-event-id', 'x'.repeat(500)]],
    Array.from({ length: random.int(50, 400) }, (_, at) => [`x-${at}`, 'y'] as const),
    [
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ],
  ]);
  return { ...request, headers: [...request.headers, ...odd] };
}

function headersTooLarge(random: Random, operation: Operation, context: FuzzContext): FuzzRequest {
  const expected = { statuses: [431], code: 'payload_too_large' };
  const request = requestOf(permittedDraft(random, operation, context), 'headers too large', expected);
  // The request has no body: bytes still being sent when the connection closes would hide the answer.
  return { ...request, body: null, headers: [...request.headers, ['x', 'a'.repeat(random.int(17_000, 40_000))]] };
}

/** Makes a body for an operation without one; the service must ignore it. */
function unwantedBody(random: Random, operation: Operation, context: FuzzContext): FuzzRequest | null {
  if (operation.body !== null || operation.streams) return null;
  const request = requestOf(draftOf(random, operation, context), 'a body that the endpoint does not take');
  const length = random.weighted([
    [4, random.int(1, 300)],
    [1, random.int(100_000, 300_000)],
  ]);
  return {
    ...request,
    body: Buffer.alloc(length, random.pick(['{', ' ', '\u0000', 'x'])),
    chunked: random.chance(0.5),
    headers: [...request.headers, ['content-type', random.pick(['application/json', 'text/plain', 'x'])]],
  };
}
