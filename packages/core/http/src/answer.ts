import { ApiError } from '@paper/contracts';
import type { BodyAnswer, MediaType } from '@paper/contracts';
import { inTime } from '@paper/timing';
import { headersOf } from './call.ts';
import type { Call } from './call.ts';
import { PREFLIGHT_HEADERS } from './cross-origin.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** The Content-Type of each media type. JSON is UTF-8 by definition; the charset is only for old clients. */
export const CONTENT_TYPES: Readonly<Record<MediaType, string>> = {
  'application/json': JSON_TYPE,
  'application/x-ndjson': 'application/x-ndjson; charset=utf-8',
  'text/csv': 'text/csv; charset=utf-8; header=present',
  'text/event-stream': 'text/event-stream; charset=utf-8',
};

/** Sends 200 with the body as JSON, and the journal sequence that it shows. */
export function sendAnswer(call: Call, answer: BodyAnswer<unknown>): void {
  // The text is made before anything is sent, so that an answer that cannot be serialized becomes a clean 500.
  const text = JSON.stringify(answer.body);
  const headers = headersOf(call);
  if (call.isPrivate) headers.push('cache-control', 'no-store');
  if (answer.hash !== undefined) headers.push('x-journal-hash', answer.hash);
  headers.push('x-journal-seq', answer.seq);
  if (answer.headers !== undefined) headers.push(...Object.entries(answer.headers).flat());
  send(call, 200, headers, text);
}

/** An error that can be sent as an answer, such as `ApiError`; a service may have further codes. */
export interface ErrorAnswer {
  readonly code: string;
  readonly message: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends `{error, code}` and nothing else. Unless the error gives a Retry-After, 429 and 503 ask for a second. */
export function sendError(call: Call, error: ErrorAnswer): void {
  const { response } = call;
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const own = new Map([['cache-control', 'no-store']]);
  if (error.status === 401) own.set('www-authenticate', 'Bearer');
  if (error.status === 429 || error.status === 503) own.set('retry-after', '1');
  for (const [name, value] of Object.entries(error.headers)) own.set(name.toLowerCase(), value);
  const text = JSON.stringify({ error: error.message, code: error.code });
  send(call, error.status, [...headersOf(call), ...[...own].flat()], text);
}

/** Answers a preflight request, which carries no key: 204 with the permitted methods and headers. */
export function sendPreflight(call: Call): void {
  call.response.writeHead(204, [...headersOf(call), ...PREFLIGHT_HEADERS] as string[]);
  call.response.end();
}

/** Sends a text: Node writes a text together with its headers at once, but bytes separately. */
function send({ response }: Call, status: number, headers: (string | number)[], text: string): void {
  headers.push('content-type', JSON_TYPE, 'content-length', Buffer.byteLength(text));
  response.writeHead(status, headers as string[]);
  response.end(text);
}

/** Waits for the work at most this long; then throws ApiError unavailable, while the work continues. */
export function within<T>(ms: number, work: () => T | Promise<T>): T | Promise<T> {
  const begun = work();
  if (!(begun instanceof Promise)) return begun;
  return inTime(begun, ms, () => {
    throw new ApiError('unavailable', 'It took too long; try again');
  });
}
