import { sql } from 'kysely';
import type { SelectQueryBuilder } from 'kysely';
import type { ReadDb, ReadTables } from '../tables.ts';

/** A query that selects accounts. */
export type Accounts = SelectQueryBuilder<ReadTables, 'accounts', object>;

/** The tables with rows of accounts that are read page by page. */
type ReadTable = 'fills' | 'merges' | 'order_changes' | 'orders' | 'settlements';

/** Rows after a sequence, at most `limit`. */
export interface RowsAfter {
  readonly after: number;
  readonly limit: number;
}

/** Selects these accounts. */
export function accountsOf(db: ReadDb, accountIds: readonly string[]): Accounts {
  return db.selectFrom('accounts').where((eb) => eb('accounts.id', '=', eb.fn.any(eb.val(accountIds))));
}

/**
 * The rows that a table has of these accounts, by sequence, read account by account: each from its own index and only
 * as many as the page needs. With one condition for all accounts, Postgres would sort all their rows for each page.
 */
export function rowsFrom<T extends ReadTable>(
  table: T,
  accounts: Accounts,
  { after, limit }: RowsAfter,
  sequence: 'seq' | 'created_seq' | 'ended_seq' = 'seq',
) {
  // The types are those of one table. The others have these columns too.
  const [name, by] = [table as 'fills', sequence as 'seq'];
  return accounts
    .crossJoinLateral((eb) =>
      eb
        .selectFrom(name)
        .selectAll()
        .whereRef('account_id', '=', 'accounts.id')
        .where(by, '>', after)
        .orderBy(by)
        .limit(limit)
        .as(name),
    )
    .orderBy(sql.ref(`${table}.${sequence}`))
    .limit(limit) as unknown as SelectQueryBuilder<ReadTables, 'accounts' | T, object>;
}
