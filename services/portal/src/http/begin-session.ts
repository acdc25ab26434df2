import { SESSION_MS } from '../identity/sessions.ts';
import type { PortalParts } from './portal-parts.ts';
import { SESSION_COOKIE } from './app.ts';
import { setCookie } from './cookies.ts';
import { PortalError } from '../base/errors.ts';
import { personBody } from './person-body.ts';
import type { PortalAnswer, PortalCall } from './route.ts';

/**
 * Begins a session, with a new token, for a person who has just proved who they are; the browser's former session ends.
 * @param checkedHash the hash of the password with which the person signed in; absent for other means.
 * @returns the answer with the person and the cookie.
 * @throws PortalError wrong_credentials for a person whose account is not open, or is being deleted, and when the
 * password was changed since it was checked.
 */
export async function beginSession(
  { sessions, site }: Pick<PortalParts, 'sessions' | 'site'>,
  call: PortalCall,
  personId: string,
  checkedHash: string | null = null,
): Promise<PortalAnswer & { readonly body: { readonly person: ReturnType<typeof personBody> } }> {
  const token = await sessions.begin(personId, call.device, true, call.presentedToken, checkedHash);
  const session = token === null ? null : await sessions.find(token);
  if (token === null || session === null) {
    throw new PortalError('wrong_credentials', 'There is no open account for this sign-in');
  }
  return {
    body: { person: personBody(session.person, session.provenUntil) },
    cookies: [setCookie(SESSION_COOKIE, token, site(), { maxAgeSeconds: SESSION_MS / 1_000 })],
  };
}
