import type pg from 'pg';

/** A row of the tables of identity that names an account of the exchange. */
export interface NamedAccount {
  /** The table and the row's key. */
  readonly table: string;
  readonly row: string;
  readonly accountId: string;
  readonly ownerId: string | null;
  /** Must belong to that account; null if the row has none. */
  readonly keyId: string | null;
  readonly isSub: boolean;
  /** No other row of the table may name the account. */
  readonly isOnly: boolean;
}

/** For each table, its rows that name an account. */
const QUERIES: Readonly<Record<string, string>> = {
  'portal.people': `
    select id as row, account_id, account_id as owner_id, null as key_id, false as is_sub, true as is_only
    from portal.people where account_id is not null`,
  'portal.account_keys': `
    select key_id as row, k.account_id, p.account_id as owner_id, key_id, purpose = 'view' as is_sub, false as is_only
    from portal.account_keys k left join portal.people p on p.id = k.person_id`,
  // The id is chosen before the account is opened, and the person owns the account from then on.
  'portal.sign_up_jobs': `
    select person_id as row, j.account_id, p.account_id as owner_id, null as key_id, false as is_sub, true as is_only
    from portal.sign_up_jobs j join portal.people p on p.id = j.person_id
    where j.account_id is not null and p.account_id is not null`,
  'portal.deletion_jobs': `
    select j.id as row, j.account_id, p.account_id as owner_id, null as key_id, false as is_sub, true as is_only
    from portal.deletion_jobs j join portal.people p on p.id = j.person_id where j.account_id is not null`,
  'standalone.accounts': `
    select role as row, account_id, account_id as owner_id, null as key_id, false as is_sub, true as is_only
    from standalone.accounts`,
};

export type FoundAccounts = Awaited<ReturnType<typeof findNamedAccounts>>;

/**
 * Reads the rows that name accounts, without accounts of other shards. Tables may be missing: not every database has a
 * portal.
 */
export async function findNamedAccounts(client: pg.ClientBase, shard: string) {
  const { rows: tables } = await client.query<{ name: string; readable: boolean }>(
    `select nspname || '.' || relname as name,
       has_schema_privilege(n.oid, 'usage') and has_table_privilege(c.oid, 'select') as readable
     from pg_class c join pg_namespace n on n.oid = relnamespace where nspname || '.' || relname = any($1) order by 1`,
    [[...Object.keys(QUERIES), NAMES]],
  );
  const found: NamedAccount[] = [];
  const hasNames = tables.some(({ name }) => name === NAMES);
  const elsewhere = `account_id not in (select account_id from ${NAMES} where shard <> $1)`;
  for (const { name: table, readable } of tables) {
    const query = QUERIES[table];
    if (query === undefined || !readable) continue;
    const { rows } = await client.query<NamedAccount>(
      `select $2 as "table", row, account_id as "accountId", owner_id as "ownerId", key_id as "keyId",
         is_sub as "isSub", is_only as "isOnly"
       from (${query}) named where $1::text is not null and ${hasNames ? elsewhere : 'true'} order by row`,
      [shard, table],
    );
    found.push(...rows);
  }
  const unread = tables.filter(({ name, readable }) => name in QUERIES && !readable).map(({ name }) => name);
  return { rows: found, unread };
}

const NAMES = 'coordination.names';
