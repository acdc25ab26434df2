import { sql } from 'kysely';
import type { ReadDb } from '../database.ts';

/** Another rebuild is at work on this database. */
export class RebuildRunning extends Error {
  override readonly name = 'RebuildRunning';
}

const LOCK = sql`hashtext('paper read models rebuild')`;

/**
 * Does what only one process may do at a time. The lock is held by the connection that `work` is given, so it ends with
 * this process; one that was killed in the middle of a long statement is waited for, since Postgres notices within a
 * second.
 *
 * @throws RebuildRunning
 */
export async function exclusively<T>(db: ReadDb, work: (session: ReadDb) => Promise<T>): Promise<T> {
  return db.connection().execute(async (session) => {
    await sql`set client_connection_check_interval = '1s'`.execute(session);
    await sql`set lock_timeout = '3s'`.execute(session);
    try {
      await sql`select pg_advisory_lock(${LOCK})`.execute(session);
    } catch (error) {
      if ((error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE) throw error;
      throw new RebuildRunning('another rebuild is at work on this database', { cause: error });
    } finally {
      await sql`reset lock_timeout`.execute(session);
    }
    try {
      return await work(session);
    } finally {
      await sql`select pg_advisory_unlock(${LOCK})`.execute(session);
    }
  });
}

/** Whether a rebuild is at work now. */
export async function isRebuildRunning(db: ReadDb): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`select exists (
    select from pg_locks where locktype = 'advisory' and objsubid = 1 and granted
      and database = (select oid from pg_database where datname = current_database())
      and ((classid::int8 << 32) | objid::int8) = ${LOCK}::int8) as held`.execute(db);
  return rows[0]?.held ?? false;
}

/** SQLSTATE: a lock was not got in time. */
export const LOCK_NOT_AVAILABLE = '55P03';
