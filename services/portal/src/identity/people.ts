import { ApiError } from '@paper/contracts';
import type { PortalDatabase } from '../base/database.ts';
import { foldName } from './passwords.ts';
import type { Person } from '../base/schema.ts';

/** Finds the person with this sign-in name or confirmed e-mail address; null without one. */
export async function findPersonByName(db: PortalDatabase, name: string): Promise<Person | null> {
  const folded = foldName(name);
  const person = await db
    .selectFrom('people')
    .selectAll()
    // A sign-in name has no @, so a text can only be one of the two.
    .where((on) => on.or([on('sign_in_name', '=', folded), on('email', '=', folded)]))
    .executeTakeFirst();
  return person ?? null;
}

/** The person with this id; null without one. */
export async function findPerson(db: PortalDatabase, id: string): Promise<Person | null> {
  return (await db.selectFrom('people').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

/** @throws ApiError forbidden for a person who has not confirmed their e-mail address. */
export function assertConfirmed(person: Person): void {
  if (person.state !== 'unconfirmed') return;
  throw new ApiError('forbidden', 'Your e-mail address is not confirmed yet: open the link in the e-mail');
}
