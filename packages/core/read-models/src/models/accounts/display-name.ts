import { expressionBuilder, sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { ReadDb, ReadTables } from '../tables.ts';

/**
 * SQL for an account's display name at a sequence (null: now): from the table of names, which is not a read model, else
 * from the account's event; null if neither has one.
 */
export function displayNameOf(accounts = 'accounts', at: number | null = null): RawBuilder<string | null> {
  const id = sql.ref<string>(`${accounts}.id`);
  const digest = expressionBuilder<ReadTables>()
    .selectFrom('account_names')
    .select('account_names.name_digest')
    .where('account_names.account_id', '=', id)
    .$if(at !== null, (given) => given.where('account_names.seq', '<=', at ?? 0))
    .orderBy('account_names.seq', 'desc')
    .limit(1);
  return sql`coalesce(
    (select name from coordination.names where account_id = ${id} and digest = coalesce(${digest}, '')),
    ${sql.ref(`${accounts}.display_name`)})`;
}

/** The display name in an account's event; null if the event has none, or the account does not exist. */
export async function findPublicName(db: ReadDb, accountId: string): Promise<string | null> {
  const row = await db.selectFrom('accounts').select('display_name').where('id', '=', accountId).executeTakeFirst();
  return row?.display_name ?? null;
}
