import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { ReadDb } from '../tables.ts';

/**
 * The display name of the account in this row of `accounts`: from the table of names, else from the account's event;
 * null where there is none (any more), and then `shownName` replaces it. The table of names is outside the schemas of
 * read models, so a rebuild neither restores nor loses names.
 */
export function displayNameOf(accounts = 'accounts'): RawBuilder<string | null> {
  return sql`coalesce(
    (select name from coordination.names where account_id = ${sql.ref(`${accounts}.id`)}),
    ${sql.ref(`${accounts}.display_name`)})`;
}

/** The display name in an account's event; null where the event has none, or the account does not exist. */
export async function findPublicName(db: ReadDb, accountId: string): Promise<string | null> {
  const row = await db.selectFrom('accounts').select('display_name').where('id', '=', accountId).executeTakeFirst();
  return row?.display_name ?? null;
}
