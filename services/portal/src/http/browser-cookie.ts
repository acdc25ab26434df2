import { hashToken, newToken } from '../base/tokens.ts';
import { readCookie, setCookie } from './cookies.ts';
import type { PortalCall } from './route.ts';
import type { Site } from '../base/site.ts';

const BROWSER_COOKIE = 'browser';
const LIFE_SECONDS = 3_600;

/**
 * Identifies the browser of a call by SHA-256 of its cookie, so that only this browser can finish what it begins, such
 * as a sign-in by passkey. `cookies` has the Set-Cookie header for a browser without one.
 */
export function browserOf({ call }: PortalCall, site: Site) {
  const known = knownBrowser(call.request, site);
  if (known !== null) return { hash: known, cookies: [] };
  const token = newToken();
  return { hash: hashToken(token), cookies: [setCookie(BROWSER_COOKIE, token, site, { maxAgeSeconds: LIFE_SECONDS })] };
}

/** SHA-256 of the cookie of a browser that began something here; null if it has no cookie. */
export function knownBrowser(request: PortalCall['call']['request'], site: Site): Buffer | null {
  const token = readCookie(request, BROWSER_COOKIE, site);
  return token === null ? null : hashToken(token);
}
