import { sql, type RawBuilder } from 'kysely';
import type { ReadDb } from '../schema/database.ts';

/**
 * The display name of the account in this row of `accounts`: that of the table of names, else the one that is in the
 * account's event; null where there is none (any more), for which `shownName` stands. Names are no read model: they stand
 * in one table beside all schemas, so that a rebuild brings none back and loses none.
 */
export function displayNameOf(accounts = 'accounts'): RawBuilder<string | null> {
  return sql`coalesce(
    (select name from coordination.names where account_id = ${sql.ref(`${accounts}.id`)}),
    ${sql.ref(`${accounts}.display_name`)})`;
}

/** The display name that is in the event of an account; null where none is, or the account is not there. */
export async function findPublicName(db: ReadDb, accountId: string): Promise<string | null> {
  const row = await db.selectFrom('accounts').select('display_name').where('id', '=', accountId).executeTakeFirst();
  return row?.display_name ?? null;
}
