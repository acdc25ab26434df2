import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import { sendBytes } from './ready-made.ts';

/** A file for browsers, given as it is: a page or what a page loads. No endpoint of the API, so it names no sequence. */
export interface Page {
  /** The whole path, exactly. */
  readonly path: string;
  readonly contentType: string;
  readonly bytes: Buffer;
  /** In place of the API's, under which a document may load nothing. */
  readonly contentSecurityPolicy: string;
}

const compress = promisify(gzip);

/** Answers with the page, or with 304 where the client has it already. Compressed once, when it is first asked for. */
export function servePage(page: Page): (request: Request, response: Response) => Promise<void> {
  const { bytes, contentType, contentSecurityPolicy } = page;
  const etag = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  let compressed: Promise<Buffer> | null = null;
  return async (request, response) => {
    compressed ??= compress(bytes);
    response.setHeader('content-security-policy', contentSecurityPolicy);
    sendBytes(request, response, { etag, bytes, gzip: await compressed }, contentType);
  };
}
