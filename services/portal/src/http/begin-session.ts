import { SESSION_MS } from '../identity/sessions.ts';
import type { PortalParts } from './portal-parts.ts';
import { SESSION_COOKIE } from './app.ts';
import { setCookie } from './cookies.ts';
import { PortalError } from '../base/errors.ts';
import type { Person } from '../base/schema.ts';
import type { PortalCall } from './route.ts';

/**
 * Begins a session as `Sessions.begin`, and answers with the person and the cookie. @throws PortalError
 * wrong_credentials for an account that is not open, or is being deleted, and for a password that was changed since.
 */
export async function beginSession(
  { sessions, site }: Pick<PortalParts, 'sessions' | 'site'>,
  call: PortalCall,
  personId: string,
  checkedHash: string | null = null,
) {
  const token = await sessions.begin(personId, call.device, call.presentedToken, checkedHash);
  const session = token === null ? null : await sessions.find(token);
  if (token === null || session === null) {
    throw new PortalError('wrong_credentials', 'There is no open account for this sign-in');
  }
  return {
    body: { person: personBody(session.person, session.provenUntil) },
    cookies: [setCookie(SESSION_COOKIE, token, site(), { maxAgeSeconds: SESSION_MS / 1_000 })],
  };
}

/** The person of a session, in the form for the page. */
export function personBody(person: Person, provenUntil: Date | null) {
  return {
    signInName: person.sign_in_name,
    displayName: person.display_name,
    accountId: person.account_id,
    email: person.email,
    provenUntil: provenUntil?.toISOString() ?? null,
  };
}
