import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The header with the secret of a relay, a part of the process that sends its clients' calls to the API. */
const RELAY_HEADER = 'x-relay-secret';

/** The headers that make a call count against its client's address. `secret`: null if the API trusts the relay. */
export function relayHeaders(address: string | undefined, secret: string | null): Readonly<Record<string, string>> {
  if (address === undefined) return {};
  return { 'x-forwarded-for': address, ...(secret === null ? {} : { [RELAY_HEADER]: secret }) };
}

/** Whether the relay with this secret sent the request. The address proves nothing: other processes have it too. */
export function isRelayed({ headers }: Pick<IncomingMessage, 'headers'>, secret: string): boolean {
  const { [RELAY_HEADER]: presented } = headers;
  if (typeof presented !== 'string') return false;
  return timingSafeEqual(digestOf(presented), digestOf(secret));
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}
