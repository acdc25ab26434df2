import type { IncomingMessage } from 'node:http';
import { ApiError } from '@paper/contracts';

/**
 * RFC 9112, 3.2: a request of HTTP/1.1 names its host once. Checked here because Node's own answer has no body.
 * Returns the error to answer with; null where the request is right.
 */
export function faultOfHost({ rawHeaders, httpVersion }: Pick<IncomingMessage, 'rawHeaders' | 'httpVersion'>) {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  const isRight = httpVersion === '1.1' ? hosts === 1 : hosts <= 1;
  return isRight ? null : new ApiError('validation_failed', 'validation failure: Host: the header must be given once');
}
