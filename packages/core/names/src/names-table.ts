import type pg from 'pg';
import { inCoordination, unlessMissing, COORDINATION_SCHEMA } from '@paper/runtime/coordination';

/**
 * Display names, which are not in the journal: a text can be taken out of this table, and out of the journal nothing.
 * The journal has the digest of each (`nameDigest`), which is made of `salt` and `name`. No read model: a rebuild never
 * touches it.
 */
const NAMES_TABLE = `
  ${COORDINATION_SCHEMA}
  create table if not exists coordination.names (
    account_id text primary key,
    -- Of the journal that opens the account.
    shard text not null,
    salt bytea not null,
    name text not null,
    -- Until the opening of its account is known to be in the journal: where it never comes, the row is swept.
    pending boolean not null
  );
  create index if not exists names_pending on coordination.names (shard) where pending;`;

/** Creates the table of display names as its owner, unless it exists. */
export async function prepareNames(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  await client.query(NAMES_TABLE);
}

/**
 * Finds the table of display names, and makes it where it is missing and the connection is the owner's.
 *
 * @throws where the database cannot be reached, and where the role of the connection may not read the table or there is
 * none; then the message says that `npm run roles` is needed.
 */
export function findNames(connectionString: string): Promise<void> {
  const denied = 'this role may not read the table coordination.names, or it is missing';
  return inCoordination(connectionString, denied, async (client) => {
    const there = await unlessMissing(client.query('select from coordination.names limit 0'));
    if (there === null) await prepareNames(client);
  });
}
