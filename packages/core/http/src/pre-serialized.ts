import { createHash } from 'node:crypto';
import type { Answer, SerializedBytes, PreSerialized } from '@paper/contracts';
import { andThen } from './and-then.ts';
import { CONTENT_TYPES } from './answer.ts';
import { headersOf } from './call.ts';
import type { Call } from './call.ts';
import { CODINGS, codingFor, inCoding, isCompressible } from './compressed.ts';
import type { Coding } from './compressed.ts';

/** Serializes an answer to the bytes that are sent. Its ETag is their digest, so that equal content stays a 304. */
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

export function sendPreSerialized(call: Call, answer: PreSerialized): void | Promise<void> {
  const { seq, headers: own, mediaType, cacheControl, preSerialized } = answer;
  const headers = headersOf(call);
  headers.push('x-journal-seq', seq);
  if (own !== undefined) headers.push(...Object.entries(own).flat());
  return sendBytes(call, headers, preSerialized, CONTENT_TYPES[mediaType ?? 'application/json'], cacheControl);
}

/** Matches files that are already compressed. */
const PACKED = /^application\/(?:gzip|zip)$/;

/**
 * Sends bytes in the best coding that the client accepts; 304 if the client has them already. Each coding has its own
 * ETag, since its bytes differ (RFC 9110, 8.8.3). Bytes that exist already are sent at once.
 */
export function sendBytes(
  { request, response, isPrivate }: Call,
  headers: (string | number)[],
  serialized: SerializedBytes,
  contentType: string,
  cacheControl?: string,
): void | Promise<void> {
  const { etag, bytes } = serialized;
  const { 'accept-encoding': accepted, 'if-none-match': known } = request.headers;
  const coding = accepted === undefined || PACKED.test(contentType) ? null : codingFor(serialized, accepted);
  const held = known === undefined ? null : heldTag(known, etag, coding);
  // By default the answer may be cached and must be revalidated, which costs only a 304.
  headers.push('cache-control', cacheControl ?? (isPrivate ? 'no-store' : 'no-cache'));
  headers.push('etag', held ?? tagOf(etag, coding));
  if (isCompressible(serialized)) headers.push('vary', 'accept-encoding');
  if (held !== null) {
    response.writeHead(304, headers as string[]);
    response.end();
    return;
  }
  return andThen(coding === null ? bytes : inCoding(serialized, coding), (body) => {
    if (coding !== null) headers.push('content-encoding', coding);
    headers.push('content-type', contentType, 'content-length', body.length);
    response.writeHead(200, headers as string[]);
    response.end(body);
  });
}

function tagOf(etag: string, coding: Coding | null): string {
  return coding === null ? `"${etag}"` : `"${etag}.${coding}"`;
}

/** The tag of If-None-Match that matches the content weakly, in any coding; null for none (RFC 9111, 4.3.4). */
function heldTag(header: string, etag: string, coding: Coding | null): string | null {
  const tag = tagOf(etag, coding);
  if (header.trim() === '*') return tag;
  const held = new Set(Array.from(header.matchAll(/"[^"]*"/g), ([one]) => one));
  return [tag, ...[null, ...CODINGS].map((other) => tagOf(etag, other))].find((one) => held.has(one)) ?? null;
}
