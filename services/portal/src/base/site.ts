import type { PortalConfig } from './config.ts';

/** The site as browsers see it, determined by PUBLIC_URL and never by a request's Host header. */
export interface Site {
  /** Scheme and host, without a slash at the end. */
  readonly publicUrl: string;
  /** The only Origin whose requests may change anything. */
  readonly origin: string;
  /** The host name, without a port: the RP ID of passkeys. */
  readonly hostname: string;
  readonly isHttps: boolean;
  readonly isLoopback: boolean;
  /** Whether PORTAL_INSECURE allows what would otherwise be refused. */
  readonly isInsecure: boolean;
  /** Whether browsers offer passkeys at this address. */
  readonly hasPasskeys: boolean;
  /** Whether a Host header is one of this site's. */
  readonly isServedAs: (host: string) => boolean;
  /** Why there is no sign-in for requests to this host; null if there is one. */
  readonly refusal: (host: string) => string | null;
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** @param publicUrl scheme and host. */
export function createSite(publicUrl: string, config: Pick<PortalConfig, 'PORTAL_INSECURE'>): Site {
  const { origin, host, hostname, port, protocol } = new URL(publicUrl);
  const isHttps = protocol === 'https:';
  const isLoopback = LOOPBACK.includes(hostname);
  const isInsecure = !isHttps && !isLoopback;
  const hosts = new Set([host]);
  if (isLoopback) for (const name of LOOPBACK) hosts.add(port === '' ? name : `${name}:${port}`);
  const always =
    isInsecure && !config.PORTAL_INSECURE
      ? `There is no sign-in at ${origin}: passwords and sessions would cross the network unencrypted. Serve it by https (PUBLIC_URL), or set PORTAL_INSECURE=on.`
      : null;
  return {
    publicUrl: origin,
    origin,
    hostname,
    isHttps,
    isLoopback,
    isInsecure: isInsecure && config.PORTAL_INSECURE,
    // An IP address cannot be an RP ID, and plain http is a secure context only at localhost.
    hasPasskeys: hostname === 'localhost' || (isHttps && !isAddress(hostname)),
    isServedAs: (asked) => hosts.has(asked.toLowerCase()),
    refusal: (asked) =>
      always ?? (asked.toLowerCase() === host ? null : `Sign in at ${origin}: this address only shows the markets.`),
  };
}

function isAddress(hostname: string): boolean {
  return hostname.startsWith('[') || /^[\d.]+$/.test(hostname);
}
