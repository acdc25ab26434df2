import { sql } from 'kysely';
import { connectReadModels } from '../projection/database.ts';
import type { DatabaseOptions } from '../projection/database.ts';
import type { ReadDb } from '../models/tables.ts';
import { FILL_WORK_MEM } from '../projection/projector.ts';
import { prepareRegistry } from '../projection/registry.ts';
import { holdRebuildLock } from './rebuild-lock.ts';

interface RebuildConnections {
  readonly db: ReadDb;
  /** The connection that holds the lock. */
  readonly session: ReadDb;
  /** A connection whose commits do not wait for the disk: rows and their checkpoint are in the same transaction. */
  readonly filler: ReadDb;
}

/**
 * Connects as the read models' owner, and does work that only one process may do at a time. The signal breaks running
 * statements too. @throws RebuildRunning
 */
export async function withRebuildLock<T>(
  { connectionString, signal }: { readonly connectionString: string; readonly signal?: AbortSignal },
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
    return await holdRebuildLock(db, (session) => work({ db, session, filler }));
  } finally {
    signal?.removeEventListener('abort', abort);
    await close();
  }
}

/** Ends these backends. If the database itself is gone, they have ended. */
function terminate(connectionString: string, pids: readonly number[]): Promise<void> {
  return connected({ connectionString, maxConnections: 1 }, async (db) => {
    const ended = sql`select pg_terminate_backend(pid) from unnest(${sql.val(pids)}::int4[]) pid`.execute(db);
    await ended.catch(() => undefined);
  });
}

/** Connects as the read models' owner for work that fills no schema. */
export async function withDatabase<T>(connectionString: string, work: (db: ReadDb) => Promise<T>): Promise<T> {
  const owner = await ownerOf(connectionString);
  return connected({ connectionString, ...owner, maxConnections: 2 }, async (db) => {
    await prepareRegistry(db);
    return work(db);
  });
}

/** The role of the read models' owner. Every rebuild takes this role, since the projector must own the tables. */
function ownerOf(connectionString: string): Promise<{ readonly role?: string }> {
  return connected({ connectionString, maxConnections: 1 }, async (db) => {
    const { rows } = await sql<{ role: string }>`
      select pg_get_userbyid(nspowner) as role from pg_namespace where nspname = 'read_models'`.execute(db);
    return rows[0] ?? {};
  });
}

async function connected<T>(options: DatabaseOptions, work: (db: ReadDb) => Promise<T>): Promise<T> {
  const db = connectReadModels(options);
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}
