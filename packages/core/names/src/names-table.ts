import type pg from 'pg';
import { inCoordination, unlessMissing, COORDINATION_SCHEMA } from '@paper/runtime/coordination';

/**
 * Display names with the salts of their digests (`nameDigest`). The table is not a read model: a rebuild never touches
 * it. One from before accounts could be renamed gets `digest` and its key only once, since both changes lock readers
 * out.
 */
const NAMES_TABLE = `
  ${COORDINATION_SCHEMA}
  create table if not exists coordination.names (
    account_id text not null,
    -- Of the journal that opens the account.
    shard text not null,
    salt bytea not null,
    name text not null,
    -- Until the event that gives the name is known to be in the journal: where it never comes, the row is swept.
    pending boolean not null,
    -- That of the AccountRenamed which gives the name; empty for the name of the account's opening.
    digest text not null default '',
    constraint names_pkey primary key (account_id, digest)
  );
  do $$ begin
    if not exists (select from pg_attribute where attrelid = 'coordination.names'::regclass and attname = 'digest') then
      alter table coordination.names add column digest text not null default '';
      alter table coordination.names drop constraint names_pkey;
      alter table coordination.names add constraint names_pkey primary key (account_id, digest);
    end if;
  end $$;
  create index if not exists names_pending on coordination.names (shard) where pending;`;

/** The last use of each key (`KeyUses`), beside the names, since a deletion of names deletes from both. */
const KEY_USES_TABLE = `
  create table if not exists coordination.key_uses (
    key_id text primary key,
    account_id text not null,
    used_on date not null
  );
  create index if not exists key_uses_account on coordination.key_uses (account_id);`;

/** Creates the tables of names and uses of keys as their owner, unless they exist. */
export async function createNameTables(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  await client.query(NAMES_TABLE);
  await client.query(KEY_USES_TABLE);
}

/**
 * Finds the tables of names and uses of keys, or creates what is missing if the connection is the owner's.
 * @throws an error that names `npm run roles` if the role may not read them
 */
export function ensureNameTables(connectionString: string): Promise<void> {
  const denied =
    'this role may not read the tables coordination.names and coordination.key_uses, or one is missing or of an older build';
  return inCoordination(connectionString, denied, async (client) => {
    const there = await unlessMissing(
      client.query('select digest, used_on from coordination.names, coordination.key_uses limit 0'),
    );
    if (there === null) await createNameTables(client);
  });
}
