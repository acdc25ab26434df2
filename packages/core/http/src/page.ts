import type { SerializedBytes } from '@paper/contracts';
import { headersOf } from './call.ts';
import type { Call } from './call.ts';
import { etagOf, sendBytes } from './pre-serialized.ts';
import { pageHeaders } from './security-headers.ts';

/** A static file for browsers. It is not an endpoint of the API, so it names no sequence. */
export interface Page {
  readonly path: string;
  readonly contentType: string;
  /** The file, or a function that reads or makes it at its first request. */
  readonly bytes: Buffer | (() => Promise<Buffer>);
  /** The answer for clients that do not accept HTML, such as curl. */
  readonly unlessHtml?: { readonly contentType: string; readonly bytes: Buffer };
  /** The page's own content security policy, since the API's policy allows a document to load nothing. */
  readonly contentSecurityPolicy: string;
}

export function servePage(page: Page): (call: Call) => Promise<void> {
  const { unlessHtml } = page;
  const securityHeaders = pageHeaders(page.contentSecurityPolicy);
  const html = formOf(page);
  const other = unlessHtml === undefined ? null : formOf(unlessHtml);
  return async (call) => {
    const form = other === null || takesHtml(call) ? html : other;
    call.securityHeaders = securityHeaders;
    const headers = headersOf(call);
    if (other !== null) headers.push('vary', 'accept');
    await sendBytes(call, headers, await form.serialized(), form.contentType);
  };
}

/** Whether the client accepts HTML. A browser names it; curl and other programs send a wildcard. */
function takesHtml({ request }: Call): boolean {
  return request.headers.accept?.includes('text/html') === true;
}

function formOf({ bytes, contentType }: Pick<Page, 'bytes' | 'contentType'>) {
  const serialize = (made: Buffer): SerializedBytes => ({ etag: etagOf(made), bytes: made });
  let serialized = typeof bytes === 'function' ? null : serialize(bytes);
  return {
    contentType,
    async serialized(): Promise<SerializedBytes> {
      if (typeof bytes === 'function') serialized ??= serialize(await bytes());
      return serialized as SerializedBytes;
    },
  };
}
