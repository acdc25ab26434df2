import type { IncomingMessage } from 'node:http';
import { ApiError } from '@paper/contracts';
import { timesGiven } from './raw-headers.ts';

/** The fault of a request of HTTP/1.1 that does not name its host exactly once (RFC 9112, 3.2); null for none. */
export function faultOfHost({ rawHeaders, httpVersion }: Pick<IncomingMessage, 'rawHeaders' | 'httpVersion'>) {
  const hosts = timesGiven(rawHeaders, 'host');
  const isRight = httpVersion === '1.1' ? hosts === 1 : hosts <= 1;
  return isRight ? null : new ApiError('validation_failed', 'validation failure: Host: the header must be given once');
}
