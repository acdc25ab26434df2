import { sql } from 'kysely';
import type { ReadDb } from '../models/tables.ts';

/** Another rebuild is running on this database. */
export class RebuildRunning extends Error {
  override readonly name = 'RebuildRunning';
}

/** The requested step is not possible now; the message says why, and what is possible. */
export class RebuildRefused extends Error {
  override readonly name = 'RebuildRefused';
}

const LOCK = sql`hashtext('paper read models rebuild')`;
/** The lock that all connections opened by `shareRebuildLock` share. */
const SHARED_LOCK = sql`hashtext('paper read models rebuild, alongside')`;

/**
 * Does work that only one process may do at a time, with the connection that holds the lock. The lock of a killed
 * process is awaited, since Postgres notices within a second. @throws RebuildRunning
 */
export async function holdRebuildLock<T>(db: ReadDb, work: (session: ReadDb) => Promise<T>): Promise<T> {
  return db.connection().execute(async (session) => {
    await noticeLostClient(session);
    await acquire(session, LOCK);
    try {
      await acquire(session, SHARED_LOCK);
      await sql`select pg_advisory_unlock(${SHARED_LOCK})`.execute(session);
      return await work(session);
    } finally {
      await sql`select pg_advisory_unlock(${LOCK})`.execute(session);
    }
  });
}

/** Opens another connection for work under the lock. The next `holdRebuildLock` awaits it, even of a killed process. */
export async function shareRebuildLock<T>(db: ReadDb, work: (session: ReadDb) => Promise<T>): Promise<T> {
  return db.connection().execute(async (session) => {
    await noticeLostClient(session);
    await sql`select pg_advisory_lock_shared(${SHARED_LOCK})`.execute(session);
    try {
      return await work(session);
    } finally {
      await sql`select pg_advisory_unlock_shared(${SHARED_LOCK})`.execute(session);
    }
  });
}

async function acquire(session: ReadDb, lock: typeof LOCK): Promise<void> {
  await sql`set lock_timeout = '3s'`.execute(session);
  try {
    await sql`select pg_advisory_lock(${lock})`.execute(session);
  } catch (error) {
    if ((error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE) throw error;
    throw new RebuildRunning('another rebuild is at work on this database', { cause: error });
  } finally {
    await sql`reset lock_timeout`.execute(session);
  }
}

/** Makes Postgres check every second whether the client is still connected, even in the middle of a statement. */
async function noticeLostClient(session: ReadDb): Promise<void> {
  await sql`set client_connection_check_interval = '1s'`.execute(session);
}

/** Whether a process holds the lock of a rebuild. */
export async function isRebuildRunning(db: ReadDb): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`select exists (
    select from pg_locks where locktype = 'advisory' and objsubid = 1 and granted
      and database = (select oid from pg_database where datname = current_database())
      and ((classid::int8 << 32) | objid::int8) = ${LOCK}::int8) as held`.execute(db);
  return rows[0]?.held ?? false;
}

/** SQLSTATE: a lock was not obtained in time. */
export const LOCK_NOT_AVAILABLE = '55P03';
