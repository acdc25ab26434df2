import type { IncomingMessage } from 'node:http';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Site } from '../base/site.ts';
import { hashToken, newToken } from '../base/tokens.ts';
import type { PortalCall } from './route.ts';

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

export function readCookie(request: IncomingMessage, name: string, site: Site, path = '/'): string | null {
  const { cookie } = request.headers;
  return cookie === undefined ? null : (parseCookie(cookie)[sentName(name, site, path)] ?? null);
}

const BROWSER_COOKIE = 'browser';
const LIFE_SECONDS = 3_600;

/** Identifies a browser by SHA-256 of a cookie, so that only it can finish what it begins; `cookies` sets a new one. */
export function browserOf({ call }: PortalCall, site: Site) {
  const known = browserHashOf(call.request, site);
  if (known !== null) return { hash: known, cookies: [] };
  const token = newToken();
  return { hash: hashToken(token), cookies: [setCookie(BROWSER_COOKIE, token, site, { maxAgeSeconds: LIFE_SECONDS })] };
}

/** SHA-256 of the cookie of a browser that began something here; null if it has no cookie. */
export function browserHashOf(request: PortalCall['call']['request'], site: Site): Buffer | null {
  const token = readCookie(request, BROWSER_COOKIE, site);
  return token === null ? null : hashToken(token);
}
