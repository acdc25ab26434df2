import { sql } from 'kysely';
import type { ReadDb } from '../models/tables.ts';
import { isTransient } from '../engine/faults.ts';
import type { SchemaStatus } from '../projection/registry.ts';
import { LOCK_NOT_AVAILABLE } from './rebuild-lock.ts';

/** The number of attempts; each waits for a quarter of a second. */
const ATTEMPTS = 20;

/** The schema to be dropped is being read or filled. */
export class SchemaInUse extends Error {
  override readonly name = 'SchemaInUse';
}

/** Drops a schema if it still has this status; returns whether it did. @throws SchemaInUse after all attempts */
export async function dropSchema(
  db: ReadDb,
  schema: string,
  status: SchemaStatus,
  attempts = ATTEMPTS,
): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(async (trx) => {
        // Gives up quickly while readers use the schema: behind a lock that waits, all later readers would queue.
        await sql`set local lock_timeout = '250ms'`.execute(trx);
        const { numAffectedRows } = await sql`
          delete from read_models.versions where schema = ${schema} and status = ${status}`.execute(trx);
        if (numAffectedRows !== 1n) return false;
        await sql`drop schema if exists ${sql.id(schema)} cascade`.execute(trx);
        return true;
      });
    } catch (error) {
      const isLocked = (error as { code?: unknown }).code === LOCK_NOT_AVAILABLE;
      if (!isLocked && !isTransient(error)) throw error;
      if (attempt === attempts) {
        throw isLocked ? new SchemaInUse(`${schema} is in use: try again`, { cause: error }) : error;
      }
    }
  }
}
