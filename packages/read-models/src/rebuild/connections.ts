import { connectReadModels, type ReadDb } from '../database.ts';
import { prepareRegistry } from '../registry.ts';

export interface RebuildConnections {
  readonly db: ReadDb;
  /** Its commits do not wait for the disk: what it writes has its checkpoint in the same transaction. */
  readonly filler: ReadDb;
}

/** Connects for the time of `work`, to a database with a registry. */
export async function withConnections<T>(
  connectionString: string,
  work: (connections: RebuildConnections) => Promise<T>,
): Promise<T> {
  const db = connectReadModels({ connectionString, maxConnections: 4 });
  const filler = connectReadModels({ connectionString, maxConnections: 1, synchronousCommit: false });
  try {
    await prepareRegistry(db);
    return await work({ db, filler });
  } finally {
    await filler.destroy();
    await db.destroy();
  }
}

/** The same for what fills nothing. */
export async function withDatabase<T>(connectionString: string, work: (db: ReadDb) => Promise<T>): Promise<T> {
  const db = connectReadModels({ connectionString, maxConnections: 2 });
  try {
    await prepareRegistry(db);
    return await work(db);
  } finally {
    await db.destroy();
  }
}
