import { SESSION_MS } from '../identity/sessions.ts';
import type { PortalParts } from './portal-parts.ts';
import { SESSION_COOKIE } from './app.ts';
import { setCookie } from './cookies.ts';
import { PortalError } from '../base/errors.ts';
import type { Person } from '../base/schema.ts';
import type { PortalCall } from './route.ts';

/** Begins a session. @throws PortalError wrong_credentials if the account is not open or `checkedHash` is outdated. */
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

export function personBody(person: Person, provenUntil: Date | null) {
  return {
    signInName: person.sign_in_name,
    displayName: person.display_name,
    accountId: person.account_id,
    email: person.email,
    provenUntil: provenUntil?.toISOString() ?? null,
  };
}
