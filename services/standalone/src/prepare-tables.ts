import { createPostgresJournal } from '@paper/journal';
import { preparePortal } from '@paper/portal';
import { prepareNames } from '@paper/names';
import { LEASE_TABLES, withClient } from '@paper/runtime';
import { prepareSecrets } from '@paper/runtime/coordination';
import { prepareStoredAccounts } from './stored-accounts.ts';

/** Makes the tables of a backup, as the database's owner. `npm run roles` gives the roles their rights. */
export async function prepareTables(connectionString: string, journalIsHere: boolean): Promise<void> {
  if (journalIsHere) await (await createPostgresJournal({ connectionString })).close();
  await withClient({ connectionString }, async (client) => {
    await client.query('set search_path = pg_catalog');
    await client.query(LEASE_TABLES);
    await prepareSecrets(client);
    await prepareNames(client);
    await preparePortal(client);
    await prepareStoredAccounts(client);
  });
}
