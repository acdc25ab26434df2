import { ApiError } from '@paper/contracts';
import { z } from 'zod';
import type { PortalDatabase } from '../base/database.ts';
import { foldName } from './passwords.ts';
import type { Person } from '../base/schema.ts';

/** An e-mail address, in its stored form. RFC 5321 allows 254 characters. */
export const emailAddress = z
  .string()
  .max(254, 'must be at most 254 characters long')
  .transform(foldName)
  .pipe(z.email('must be an e-mail address, such as name@example.com'));

/** Finds the person with this sign-in name or confirmed e-mail address; null without one. */
export async function findPersonByName(db: PortalDatabase, name: string): Promise<Person | null> {
  const folded = foldName(name);
  // A sign-in name has no @, so a text can only be one of the two.
  const named = db
    .selectFrom('people')
    .where((on) => on.or([on('sign_in_name', '=', folded), on('email', '=', folded)]));
  return (await named.selectAll().executeTakeFirst()) ?? null;
}

export async function findPerson(db: PortalDatabase, id: string): Promise<Person | null> {
  return (await db.selectFrom('people').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

export function emailNotConfirmed(): ApiError {
  return new ApiError('forbidden', 'Your e-mail address is not confirmed yet: open the link in the e-mail');
}
