import { createHash } from 'node:crypto';
import type { Answer, ReadyBytes, ReadyMade } from '@paper/contracts';
import { CONTENT_TYPES } from './answer.ts';
import { type Call, headersOf } from './call.ts';
import { isCompressible, withGzip } from './compressed.ts';

/**
 * The answer as the bytes that are sent. Its ETag follows from them: where nothing has changed, who has them is told so
 * at any later sequence.
 */
export function makeReady(answer: Answer<unknown>): ReadyMade {
  if (answer.readyMade !== undefined) return answer;
  const { body, ...rest } = answer;
  const bytes = Buffer.from(JSON.stringify(body));
  return { ...rest, readyMade: { bytes, etag: etagOf(bytes) } };
}

/** 128 bits of a digest: other bytes have another. */
export function etagOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
}

/**
 * Sends bytes that were made ahead, in the best coding that the client takes; 304 with nothing where it has them
 * already. Each coding has an ETag of its own: they are other bytes (RFC 9110, 8.8.3). What is for everybody is
 * compressed when a client first asks for that; what is for one account is sent as it is.
 */
export async function sendReadyMade(call: Call, answer: ReadyMade): Promise<void> {
  const { seq, headers: own, mediaType, cacheControl } = answer;
  const wantsGzip = !call.isPrivate && accepts(call.request.headers['accept-encoding'], 'gzip');
  const readyMade = wantsGzip ? await withGzip(answer.readyMade) : answer.readyMade;
  const headers = headersOf(call);
  headers.push('x-journal-seq', seq);
  if (own !== undefined) headers.push(...Object.entries(own).flat());
  sendBytes(call, headers, readyMade, CONTENT_TYPES[mediaType ?? 'application/json'], cacheControl);
}

/** The same for bytes of any type, beside the headers that are given. */
export function sendBytes(
  { request, response, isPrivate }: Call,
  headers: (string | number)[],
  ready: ReadyBytes,
  contentType: string,
  cacheControl?: string,
): void {
  const { etag, bytes, gzip, br } = ready;
  const { 'accept-encoding': accepted, 'if-none-match': known } = request.headers;
  const [coding, body] =
    br !== undefined && accepts(accepted, 'br')
      ? (['br', br] as const)
      : gzip !== undefined && accepts(accepted, 'gzip')
        ? (['gzip', gzip] as const)
        : ([null, bytes] as const);
  // By default kept by who likes to, asked about each time: the answer to that is a cheap 304.
  headers.push('cache-control', cacheControl ?? (isPrivate ? 'no-store' : 'no-cache'), 'etag', tagOf(etag, coding));
  const vary =
    gzip !== undefined || br !== undefined || (!isPrivate && isCompressible(ready)) ? ['accept-encoding'] : [];
  // What is kept for one key is no answer to another that the same client has.
  if (isPrivate && cacheControl !== undefined) vary.push('authorization', 'x-api-key');
  if (vary.length > 0) headers.push('vary', vary.join(', '));
  if (known !== undefined && matches(known, etag)) {
    response.writeHead(304, headers as string[]);
    response.end();
    return;
  }
  if (coding !== null) headers.push('content-encoding', coding);
  headers.push('content-type', contentType, 'content-length', body.length);
  response.writeHead(200, headers as string[]);
  response.end(body);
}

function tagOf(etag: string, coding: string | null): string {
  return coding === null ? `"${etag}"` : `"${etag}.${coding}"`;
}

/** By the weak comparison that If-None-Match asks for. Whatever coding a client keeps, it has the content. */
function matches(header: string, etag: string): boolean {
  if (header.trim() === '*') return true;
  const tags = [null, 'gzip', 'br'].map((coding) => tagOf(etag, coding));
  return [...header.matchAll(/"[^"]*"/g)].some(([tag]) => tags.includes(tag));
}

/** Whether an Accept-Encoding takes this coding: named with a weight over 0, or not named and covered by `*`. */
function accepts(header: string | undefined, coding: string): boolean {
  if (header === undefined) return false;
  let any = false;
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    const taken = weight === undefined || Number(weight) > 0;
    if (name === coding) return taken;
    if (name === '*') any = taken;
  }
  return any;
}
