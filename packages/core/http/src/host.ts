import type { IncomingMessage } from 'node:http';
import { ApiError } from '@paper/contracts';
import { timesGiven } from './raw-headers.ts';

/**
 * RFC 9112, 3.2: a request of HTTP/1.1 names its host once. Checked here because Node's own answer has no body.
 * Returns the error to answer with; null where the request is right.
 */
export function faultOfHost({ rawHeaders, httpVersion }: Pick<IncomingMessage, 'rawHeaders' | 'httpVersion'>) {
  const hosts = timesGiven(rawHeaders, 'host');
  const isRight = httpVersion === '1.1' ? hosts === 1 : hosts <= 1;
  return isRight ? null : new ApiError('validation_failed', 'validation failure: Host: the header must be given once');
}
