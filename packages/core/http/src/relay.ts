import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/**
 * The header with the secret of a relay: a part of the process that sends its clients' calls to the API of the same
 * process.
 */
const RELAY_HEADER = 'x-relay-secret';

/**
 * The headers that make the API count a relayed call against the address that it came from.
 * @param address the client's address; undefined if the client has already disconnected
 * @param secret the secret of a relay in the API's own process; null: the API trusts the relay's address
 * (TRUSTED_PROXIES)
 */
export function relayHeaders(address: string | undefined, secret: string | null): Readonly<Record<string, string>> {
  if (address === undefined) return {};
  return { 'x-forwarded-for': address, ...(secret === null ? {} : { [RELAY_HEADER]: secret }) };
}

/**
 * Whether the relay with this secret sent the request. The machine's address proves nothing, since other processes have
 * it too.
 */
export function isRelayed({ headers }: Pick<IncomingMessage, 'headers'>, secret: string): boolean {
  const { [RELAY_HEADER]: presented } = headers;
  if (typeof presented !== 'string') return false;
  return timingSafeEqual(digestOf(presented), digestOf(secret));
}

/** A digest of a text. Its length is always the same, which the comparison in constant time needs. */
function digestOf(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}
