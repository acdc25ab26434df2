import { createHash } from 'node:crypto';
import type { Answer, SerializedBytes, PreSerialized } from '@paper/contracts';
import { CONTENT_TYPES } from './answer.ts';
import { headersOf } from './call.ts';
import type { Call } from './call.ts';
import { isCompressible, withGzip } from './compressed.ts';

/**
 * Serializes the answer to the bytes that are sent. Its ETag is their digest: while the content is the same, a client
 * that has it gets a 304 at any later sequence.
 */
export function preSerialize(answer: Answer<unknown>): PreSerialized {
  if (answer.preSerialized !== undefined) return answer;
  const { body, ...rest } = answer;
  const bytes = Buffer.from(JSON.stringify(body));
  return { ...rest, preSerialized: { bytes, etag: etagOf(bytes) } };
}

/** The ETag of these bytes: 128 bits of their digest. */
export function etagOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
}

/**
 * Sends a pre-serialized answer in the best coding that the client accepts; 304 where the client has it already. Each
 * coding has its own ETag, since its bytes differ (RFC 9110, 8.8.3). Public answers are compressed when a client first
 * accepts that; an account's own answers are sent as they are.
 */
export async function sendPreSerialized(call: Call, answer: PreSerialized): Promise<void> {
  const { seq, headers: own, mediaType, cacheControl } = answer;
  const wantsGzip = !call.isPrivate && accepts(call.request.headers['accept-encoding'], 'gzip');
  const serialized = wantsGzip ? await withGzip(answer.preSerialized) : answer.preSerialized;
  const headers = headersOf(call);
  headers.push('x-journal-seq', seq);
  if (own !== undefined) headers.push(...Object.entries(own).flat());
  sendBytes(call, headers, serialized, CONTENT_TYPES[mediaType ?? 'application/json'], cacheControl);
}

/** Sends bytes of any content type in the same way, after the given headers. */
export function sendBytes(
  { request, response, isPrivate }: Call,
  headers: (string | number)[],
  serialized: SerializedBytes,
  contentType: string,
  cacheControl?: string,
): void {
  const { etag, bytes, gzip, br } = serialized;
  const { 'accept-encoding': accepted, 'if-none-match': known } = request.headers;
  const [coding, body] =
    br !== undefined && accepts(accepted, 'br')
      ? (['br', br] as const)
      : gzip !== undefined && accepts(accepted, 'gzip')
        ? (['gzip', gzip] as const)
        : ([null, bytes] as const);
  // By default it may be cached and must be revalidated: a cheap 304.
  headers.push('cache-control', cacheControl ?? (isPrivate ? 'no-store' : 'no-cache'), 'etag', tagOf(etag, coding));
  const vary =
    gzip !== undefined || br !== undefined || (!isPrivate && isCompressible(serialized)) ? ['accept-encoding'] : [];
  // A response cached for one key must not answer another key of the same client.
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

/** Compares weakly, as If-None-Match demands: whichever coding a client cached, it has the content. */
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
