import type { IncomingMessage } from 'node:http';
import { ApiError } from '@paper/contracts';
import { timesGiven } from './raw-headers.ts';

/**
 * Checks that a request of HTTP/1.1 names its host exactly once (RFC 9112, 3.2). Node's own check is off because its
 * answer has no body. Returns the error to answer with; null for a valid request.
 */
export function faultOfHost({ rawHeaders, httpVersion }: Pick<IncomingMessage, 'rawHeaders' | 'httpVersion'>) {
  const hosts = timesGiven(rawHeaders, 'host');
  const isRight = httpVersion === '1.1' ? hosts === 1 : hosts <= 1;
  return isRight ? null : new ApiError('validation_failed', 'validation failure: Host: the header must be given once');
}
