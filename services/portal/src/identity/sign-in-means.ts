import type { PortalDatabase } from '../base/database.ts';

export type SignInMeans =
  /** A passkey, by its id in lists. */
  { readonly kind: 'passkey'; readonly id: string } | { readonly kind: 'company' };

/** Removes a means of sign-in, unless it is the last one: only a recovery code would be left. */
export function removeSignInMeans(db: PortalDatabase, personId: string, way: SignInMeans) {
  return db.transaction().execute(async (transaction) => {
    // Locks the person; otherwise two concurrent removals could remove both of the last two means.
    const locked = transaction.selectFrom('people').select('password_hash').where('id', '=', personId).forUpdate();
    const person = await locked.executeTakeFirst();
    const passkeys = await transaction.selectFrom('passkeys').select('id').where('person_id', '=', personId).execute();
    const linked = transaction.selectFrom('company_links').select('issuer').where('person_id', '=', personId);
    const links = await linked.execute();
    const isThere = way.kind === 'company' ? links.length > 0 : passkeys.some(({ id }) => id === way.id);
    if (person === undefined || !isThere) return 'unknown';
    const removed = way.kind === 'company' ? links.length : 1;
    const left = (person.password_hash === null ? 0 : 1) + passkeys.length + links.length - removed;
    if (left === 0) return 'last';
    await (
      way.kind === 'company'
        ? transaction.deleteFrom('company_links').where('person_id', '=', personId)
        : transaction.deleteFrom('passkeys').where('person_id', '=', personId).where('id', '=', way.id)
    ).execute();
    return 'removed';
  });
}
