import type { IncomingMessage } from 'node:http';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Site } from '../base/site.ts';

interface CookieOptions {
  readonly path?: string;
  readonly sameSite?: 'lax' | 'strict';
  /** Default: until the browser ends. 0 removes the cookie. */
  readonly maxAgeSeconds?: number;
}

/** The name of a cookie on the wire: under https with the prefix that binds it to this host, if its path is `/`. */
function sentName(name: string, site: Site, path: string): string {
  if (!site.isHttps) return name;
  return path === '/' ? `__Host-${name}` : `__Secure-${name}`;
}

/** The value of a Set-Cookie header. The cookie is always HttpOnly, and Secure under https. */
export function setCookie(name: string, value: string, site: Site, options: CookieOptions = {}): string {
  const { path = '/', sameSite = 'lax', maxAgeSeconds } = options;
  return stringifySetCookie({
    name: sentName(name, site, path),
    value,
    path,
    sameSite,
    httpOnly: true,
    secure: site.isHttps,
    ...(maxAgeSeconds === undefined ? {} : { maxAge: maxAgeSeconds }),
  });
}

/** The value of a cookie of a request; null if it has none. */
export function readCookie(request: IncomingMessage, name: string, site: Site, path = '/'): string | null {
  const { cookie } = request.headers;
  return cookie === undefined ? null : (parseCookie(cookie)[sentName(name, site, path)] ?? null);
}
