import type { PortalConfig } from './config.ts';

/** The site as browsers see it, determined by PUBLIC_URL and never by a request's Host header. */
export type Site = ReturnType<typeof createSite>;

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** @param publicUrl scheme and host. */
export function createSite(publicUrl: string, config: Pick<PortalConfig, 'PORTAL_INSECURE'>) {
  const { origin, host, hostname, port, protocol } = new URL(publicUrl);
  const isHttps = protocol === 'https:';
  const isLoopback = LOOPBACK.includes(hostname);
  const isAddress = hostname.startsWith('[') || /^[\d.]+$/.test(hostname);
  const isInsecure = !isHttps && !isLoopback;
  const hosts = new Set([host]);
  if (isLoopback) for (const name of LOOPBACK) hosts.add(port === '' ? name : `${name}:${port}`);
  const always =
    isInsecure && !config.PORTAL_INSECURE
      ? `There is no sign-in at ${origin}: passwords and sessions would cross the network unencrypted. Serve it by https (PUBLIC_URL), or set PORTAL_INSECURE=on.`
      : null;
  return {
    /** Scheme and host, without a slash at the end: the only Origin whose requests may change anything. */
    origin,
    hostname,
    isHttps,
    isLoopback,
    /** Whether PORTAL_INSECURE allows what would otherwise be refused. */
    isInsecure: isInsecure && config.PORTAL_INSECURE,
    /** Whether browsers offer passkeys here. An IP address cannot be an RP ID, and http is secure only at localhost. */
    hasPasskeys: hostname === 'localhost' || (isHttps && !isAddress),
    isServedAs: (asked: string): boolean => hosts.has(asked.toLowerCase()),
    /** Why there is no sign-in for requests to this host; null if there is one. */
    refusal: (asked: string): string | null =>
      always ?? (asked.toLowerCase() === host ? null : `Sign in at ${origin}: this address only shows the markets.`),
  };
}
