import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type Call, headersOf } from './call.ts';
import { etagOf, sendBytes } from './ready-made.ts';
import { pageHeaders } from './security-headers.ts';

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
export function servePage(page: Page): (call: Call) => Promise<void> {
  const { bytes, contentType, contentSecurityPolicy } = page;
  const etag = etagOf(bytes);
  const securityHeaders = pageHeaders(contentSecurityPolicy);
  let compressed: Promise<Buffer> | null = null;
  return async (call) => {
    compressed ??= compress(bytes);
    const ready = { etag, bytes, gzip: await compressed };
    call.securityHeaders = securityHeaders;
    sendBytes(call, headersOf(call), ready, contentType);
  };
}
