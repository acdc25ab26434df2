import type { IncomingMessage } from 'node:http';
import proxyAddr from 'proxy-addr';

/** Finds the address of a client, using X-Forwarded-For of trusted proxies only. Undefined: it has disconnected already. */
export type AddressOf = (request: IncomingMessage) => string | undefined;

/**
 * Reads X-Forwarded-For from the right, as long as what says so is one of the trusted proxies: addresses, subnets, or
 * the names that proxy-addr knows (`loopback`, `linklocal`, `uniquelocal`). @throws TypeError for anything else.
 */
export function addressOf(trustedProxies: readonly string[]): AddressOf {
  if (trustedProxies.length === 0) return ({ socket }) => socket.remoteAddress;
  const trust = proxyAddr.compile([...trustedProxies]);
  return (request) => proxyAddr(request, trust);
}
