import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Endpoint } from '@paper/contracts';
import { headersOf, readBody } from '@paper/http';
import type { Call } from '@paper/http';
import type { PortalParts } from './portal-parts.ts';

/** The headers of a request that are passed to the API. */
const PASSED_REQUEST_HEADERS = [
  'accept',
  'accept-encoding',
  'content-type',
  'idempotency-key',
  'if-none-match',
  'last-event-id',
] as const;

/** The headers of the API's answer that are passed to the browser. */
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

/** A browser's call that is forwarded to the API. */
export interface ForwardedCall {
  readonly call: Call;
  readonly endpoint: Endpoint;
  /** The path of the API, already checked to be the endpoint's. */
  readonly path: string;
  /** Ends the request when it aborts. */
  readonly signal: AbortSignal;
}

/** The head of the API's answer; its body is still to be read. */
export type AnswerHead = IncomingMessage & { readonly status: number };

/**
 * Reads the body of a call, which is forwarded to the API unchanged.
 * @returns a function that sends the call with a given key, any number of times. It rejects with Unavailable when no
 * answer comes.
 * @throws ApiError payload_too_large.
 */
export async function prepareForward(
  { apiRequests, apis }: PortalParts,
  { call, endpoint, path, signal }: ForwardedCall,
): Promise<(key: string) => Promise<AnswerHead>> {
  const { request } = call;
  const body = endpoint.body === null ? Buffer.alloc(0) : await readBody(request, endpoint.maxBodyBytes);
  const url = new URL(apis.url);
  url.pathname = path;
  url.search = (request.url ?? '').split('?').slice(1).join('?');
  const isRepeatable = endpoint.kind === 'read' || request.headers['idempotency-key'] !== undefined;
  return async (key) => {
    const headers = requestHeaders(call, key, body);
    const answer = await apiRequests.send({
      method: request.method ?? '',
      url,
      headers,
      body,
      client: call.address,
      isRepeatable,
      signal,
    });
    return Object.assign(answer, { status: answer.statusCode ?? 0 });
  };
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

export interface PassedAnswer {
  readonly call: Call;
  readonly answer: AnswerHead;
  /** The path of the API that the portal's `prefix` replaces in links to further pages. */
  readonly apiPrefix: string;
  readonly prefix: string;
  /** Called when a stream opens; returns the function to call when it ends. Null: the answer is not a stream. */
  readonly opened: ((cut: () => void) => () => void) | null;
}

/** Streams the answer of the API. */
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
  // The next person to sign in uses the same address.
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
