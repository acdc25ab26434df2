import { sql } from 'kysely';
import { connectReadModels } from '../projection/database.ts';
import type { ReadDb } from '../models/tables.ts';
import { FILL_WORK_MEM } from '../projection/projector.ts';
import { prepareRegistry } from '../projection/registry.ts';

export interface RebuildConnections {
  readonly db: ReadDb;
  /** A connection whose commits do not wait for the disk: rows and their checkpoint are in the same transaction. */
  readonly filler: ReadDb;
}

export interface ConnectOptions {
  readonly connectionString: string;
  /** Breaks the connections, whatever statement they are running. */
  readonly signal?: AbortSignal;
}

/** Connects for the duration of `work`, to a database with a registry, as the read models' owner. */
export async function withConnections<T>(
  { connectionString, signal }: ConnectOptions,
  work: (connections: RebuildConnections) => Promise<T>,
): Promise<T> {
  const pids: number[] = [];
  const as = {
    connectionString,
    onBackend: (pid: number) => void pids.push(pid),
    ...(await ownerOf(connectionString)),
  };
  const db = connectReadModels({ ...as, maxConnections: 4 });
  const filler = connectReadModels({ ...as, maxConnections: 1, synchronousCommit: false, workMem: FILL_WORK_MEM });
  const close = async (): Promise<void> => void (await Promise.all([filler.destroy(), db.destroy()]));
  const abort = (): void => {
    void close();
    void terminate(connectionString, pids);
  };
  signal?.addEventListener('abort', abort);
  try {
    signal?.throwIfAborted();
    await prepareRegistry(db);
    return await work({ db, filler });
  } finally {
    signal?.removeEventListener('abort', abort);
    await close();
  }
}

/** Ends these backends. If the database itself is gone, they have ended. */
async function terminate(connectionString: string, pids: readonly number[]): Promise<void> {
  const db = connectReadModels({ connectionString, maxConnections: 1 });
  const ended = sql`select pg_terminate_backend(pid) from unnest(${sql.val(pids)}::int4[]) pid`.execute(db);
  await ended.catch(() => undefined);
  await db.destroy();
}

/** Opens a database connection for work that fills no schema. */
export async function withDatabase<T>(connectionString: string, work: (db: ReadDb) => Promise<T>): Promise<T> {
  const db = connectReadModels({ connectionString, ...(await ownerOf(connectionString)), maxConnections: 2 });
  try {
    await prepareRegistry(db);
    return await work(db);
  } finally {
    await db.destroy();
  }
}

/** The role of the read models' owner, which rebuilds whoever runs the rebuild: the projector must own the tables. */
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
