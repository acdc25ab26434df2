import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';

/** A file for browsers, given as it is: a page or what a page loads. No endpoint of the API, so it names no sequence. */
export interface Page {
  /** The whole path, exactly. */
  readonly path: string;
  readonly contentType: string;
  readonly bytes: Buffer;
  /** In place of the API's, under which a document may load nothing. */
  readonly contentSecurityPolicy: string;
}

/** Answers with the page, or with 304 where the client has it already. It is kept by who likes to, and asked about. */
export function servePage(page: Page): (request: Request, response: Response) => void {
  const etag = `"${createHash('sha256').update(page.bytes).digest('base64url').slice(0, 22)}"`;
  return (request, response) => {
    response.setHeader('cache-control', 'no-cache');
    response.setHeader('content-security-policy', page.contentSecurityPolicy);
    response.setHeader('etag', etag);
    if (request.headers['if-none-match']?.includes(etag) === true) {
      response.statusCode = 304;
      response.end();
      return;
    }
    response.statusCode = 200;
    response.setHeader('content-type', page.contentType);
    response.setHeader('content-length', page.bytes.length);
    response.end(page.bytes);
  };
}
