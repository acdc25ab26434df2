import { createPostgresJournal } from '@paper/journal';
import { preparePortal } from '@paper/portal';
import { createNameTables } from '@paper/names';
import { onConnection } from '@paper/pg-bulk';
import { LEASE_TABLES, prepareSecrets } from '@paper/runtime/coordination';
import type pg from 'pg';
import { prepareStoredAccounts } from './stored-accounts.ts';

/** Creates the tables that a backup holds, as the database's owner. `npm run roles` gives the roles their rights. */
export async function prepareTables(pool: pg.Pool, journalIsHere: boolean): Promise<void> {
  if (journalIsHere) await (await createPostgresJournal({ pool })).close();
  await onConnection(pool, async (client) => {
    await client.query('set search_path = pg_catalog');
    await client.query(LEASE_TABLES);
    await prepareSecrets(client);
    await createNameTables(client);
    await preparePortal(client);
    await prepareStoredAccounts(client);
  });
}
