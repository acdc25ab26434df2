import type { ReadyBytes, ReadyMade } from '@paper/contracts';
import type { Request, Response } from 'express';

/**
 * Sends bytes that were made ahead, in the best coding that the client takes; 304 with nothing where it has them
 * already. Each coding has an ETag of its own: they are other bytes (RFC 9110, 8.8.3).
 */
export function sendReadyMade(request: Request, response: Response, { readyMade, seq, headers }: ReadyMade): void {
  for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
  response.setHeader('x-journal-seq', seq);
  sendBytes(request, response, readyMade, 'application/json; charset=utf-8');
}

/** The same for bytes of any type, with no sequence. */
export function sendBytes(
  request: Request,
  response: Response,
  { etag, bytes, gzip, br }: ReadyBytes,
  contentType: string,
): void {
  // Kept by who likes to, asked about each time: the answer to that is a cheap 304.
  if (!response.hasHeader('cache-control')) response.setHeader('cache-control', 'no-cache');
  if (gzip !== undefined || br !== undefined) response.setHeader('vary', 'accept-encoding');

  const accepted = request.headers['accept-encoding'];
  const [coding, body] =
    br !== undefined && accepts(accepted, 'br')
      ? (['br', br] as const)
      : gzip !== undefined && accepts(accepted, 'gzip')
        ? (['gzip', gzip] as const)
        : ([null, bytes] as const);
  response.setHeader('etag', tagOf(etag, coding));
  if (
    request.headers['if-none-match'] !== undefined &&
    matches(
      request.headers['if-none-match'],
      [null, 'gzip', 'br'].map((each) => tagOf(etag, each)),
    )
  ) {
    response.statusCode = 304;
    response.end();
    return;
  }
  response.statusCode = 200;
  response.setHeader('content-type', contentType);
  if (coding !== null) response.setHeader('content-encoding', coding);
  response.setHeader('content-length', body.length);
  response.end(body);
}

function tagOf(etag: string, coding: string | null): string {
  return coding === null ? `"${etag}"` : `"${etag}.${coding}"`;
}

/** By the weak comparison that If-None-Match asks for. Whatever coding a client keeps, it has the content. */
function matches(header: string, tags: readonly string[]): boolean {
  if (header.trim() === '*') return true;
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
