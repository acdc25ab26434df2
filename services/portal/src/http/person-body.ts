import type { Person } from '../base/schema.ts';

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
