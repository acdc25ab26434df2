import type { OutgoingHttpHeaders } from 'node:http';
import type { Endpoint } from '@paper/contracts';
import { headersOf, readBody } from '@paper/http';
import type { Call } from '@paper/http';
import type { AnswerHead } from './api-requests.ts';
import type { PortalParts } from './portal-parts.ts';

const PASSED_REQUEST_HEADERS = [
  'accept',
  'accept-encoding',
  'content-type',
  'idempotency-key',
  'if-none-match',
  'last-event-id',
] as const;

const PASSED_ANSWER_HEADERS = [
  'allow',
  'content-encoding',
  'content-length',
  'content-type',
  'etag',
  'idempotent-replayed',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'x-journal-hash',
  'x-journal-seq',
] as const;

type ForwardedCall = Readonly<{ call: Call; endpoint: Endpoint; path: string; signal: AbortSignal }>;

/**
 * Reads the body of a call (@throws ApiError payload_too_large). Returns a function that sends the call to the API with
 * a key, any number of times; it rejects with Unavailable without an answer.
 */
export async function prepareForward(
  { apiRequests, apis }: PortalParts,
  { call, endpoint, path, signal }: ForwardedCall,
): Promise<(key: string) => Promise<AnswerHead>> {
  const { request } = call;
  const body = endpoint.body === null ? Buffer.alloc(0) : await readBody(request, endpoint.maxBodyBytes);
  const url = new URL(apis.url());
  url.pathname = path;
  url.search = (request.url ?? '').split('?').slice(1).join('?');
  const isRepeatable = endpoint.kind === 'read' || request.headers['idempotency-key'] !== undefined;
  const sent = { method: request.method ?? '', url, body, client: call.address, isRepeatable, signal };
  return (key) => apiRequests.send({ ...sent, headers: requestHeaders(call, key, body) });
}

function requestHeaders({ request, requestId }: Call, key: string, body: Buffer): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = { authorization: `Bearer ${key}`, 'x-request-id': requestId };
  for (const name of PASSED_REQUEST_HEADERS) {
    const value = request.headers[name];
    if (typeof value === 'string' && (name !== 'content-type' || body.length > 0)) headers[name] = value;
  }
  if (body.length > 0) headers['content-length'] = body.length;
  return headers;
}

interface PassedAnswer {
  readonly call: Call;
  readonly answer: AnswerHead;
  /** The API's prefix, which the portal's `prefix` replaces in links to further pages. */
  readonly apiPrefix: string;
  readonly prefix: string;
  /** Called with a function that cuts a stream; returns the function to call at its end. Null: no stream. */
  readonly opened: ((cut: () => void) => () => void) | null;
}

export function passAnswer({ answer, apiPrefix, call, opened, prefix }: PassedAnswer): void {
  const { request, response } = call;
  const headers = headersOf(call);
  for (const name of PASSED_ANSWER_HEADERS) {
    const value = answer.headers[name];
    if (typeof value === 'string') headers.push(name, value);
  }
  // The link to a further page must go through the portal too.
  const { link } = answer.headers;
  if (typeof link === 'string') headers.push('link', link.replaceAll(`<${apiPrefix}`, `<${prefix}`));
  // Whoever signs in next on this browser uses the same addresses, so nothing may stay in its cache.
  headers.push('cache-control', opened === null ? 'no-store' : 'no-store, no-transform');
  const isOpen = opened !== null && answer.status === 200 && request.method !== 'HEAD';
  if (isOpen) {
    call.isStream = true;
    // A body that ends with its connection needs no frame around each event.
    response.useChunkedEncodingByDefault = false;
    headers.push('connection', 'close', 'x-accel-buffering', 'no');
    const cut = (): void => void response.destroy();
    const ended = opened(cut);
    // A browser that closed its sending side has left. Without this, only a reset at the next event would show it.
    request.socket.once('end', cut);
    response.once('close', () => {
      request.socket.off('end', cut);
      ended();
    });
  }
  response.writeHead(answer.statusCode ?? 502, headers as string[]);
  if (isOpen) response.flushHeaders();
  // An answer that is cut off is cut off here too. The client's signal ends it when the client disconnects.
  answer.once('error', () => response.destroy());
  answer.pipe(response);
}
