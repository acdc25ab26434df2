import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Carries the secret of a relay: a part of the process that sends its clients' calls to the API of the same process. */
const RELAY_HEADER = 'x-relay-secret';

/**
 * Headers by which the API counts a relayed call for the address that it came from.
 *
 * @param address the client's; undefined: it has disconnected already
 * @param secret that of a relay in the API's own process; null: the API trusts the relay's address (TRUSTED_PROXIES)
 */
export function relayHeaders(address: string | undefined, secret: string | null): Readonly<Record<string, string>> {
  if (address === undefined) return {};
  return { 'x-forwarded-for': address, ...(secret === null ? {} : { [RELAY_HEADER]: secret }) };
}

/** Whether the relay with this secret has sent a request. An address of the machine alone shows nothing: others have it too. */
export function isRelayed({ headers }: Pick<IncomingMessage, 'headers'>, secret: string): boolean {
  const { [RELAY_HEADER]: presented } = headers;
  if (typeof presented !== 'string') return false;
  return timingSafeEqual(digestOf(presented), digestOf(secret));
}

/** Of the same length for every text, as the comparison in constant time needs it. */
function digestOf(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}
