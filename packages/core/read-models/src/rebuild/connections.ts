import { sql } from 'kysely';
import { connectReadModels } from '../projection/database.ts';
import type { ReadDb } from '../models/tables.ts';
import { prepareRegistry } from '../projection/registry.ts';

export interface RebuildConnections {
  readonly db: ReadDb;
  /**
   * A connection whose commits do not wait for the disk: written rows have their checkpoint in the same transaction.
   */
  readonly filler: ReadDb;
}

/** Connects for the time of `work`, to a database with a registry, as the read models' owner. */
export async function withConnections<T>(
  connectionString: string,
  work: (connections: RebuildConnections) => Promise<T>,
): Promise<T> {
  const as = { connectionString, ...(await ownerOf(connectionString)) };
  const db = connectReadModels({ ...as, maxConnections: 4 });
  // With the server's default of 4 MB, a batch that changes much of a large table would be joined with it on disk.
  const filler = connectReadModels({ ...as, maxConnections: 1, synchronousCommit: false, workMem: '64MB' });
  try {
    await prepareRegistry(db);
    return await work({ db, filler });
  } finally {
    await filler.destroy();
    await db.destroy();
  }
}

/** Opens a database connection for work that fills nothing. */
export async function withDatabase<T>(connectionString: string, work: (db: ReadDb) => Promise<T>): Promise<T> {
  const db = connectReadModels({ connectionString, ...(await ownerOf(connectionString)), maxConnections: 2 });
  try {
    await prepareRegistry(db);
    return await work(db);
  } finally {
    await db.destroy();
  }
}

/** The projector continues with the tables of a rebuild, so it must own them, whichever role rebuilds. */
async function ownerOf(connectionString: string): Promise<{ readonly role?: string }> {
  const db = connectReadModels({ connectionString, maxConnections: 1 });
  try {
    const { rows } = await sql<{ role: string }>`
      select pg_get_userbyid(nspowner) as role from pg_namespace where nspname = 'read_models'`.execute(db);
    return rows[0] ?? {};
  } finally {
    await db.destroy();
  }
}
