import { openPool } from '@paper/pg-bulk';
import { prepareTables } from '../src/prepare-tables.ts';

/** Makes the tables of a backup in a database, as a restore does. */
export async function makeTables(connectionString: string, journalIsHere: boolean): Promise<void> {
  const pool = openPool({ connectionString, max: 1 });
  try {
    await prepareTables(pool, journalIsHere);
  } finally {
    await pool.end();
  }
}
