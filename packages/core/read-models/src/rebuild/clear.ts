import { sql } from 'kysely';
import type { ReadDb } from '../models/tables.ts';
import { PROJECTION_VERSION } from '../models/tables.ts';
import { fillingSchemas } from '../projection/registry.ts';
import type { SchemaStatus } from '../projection/registry.ts';
import { withDatabase } from './connections.ts';
import { dropSchema } from './drop.ts';
import { holdRebuildLock } from './rebuild-lock.ts';

/** The number of attempts of an abort, a minute in all: an index that is being built holds locks for long. */
const ABORT_ATTEMPTS = 240;

/** Drops the former schema, and those of older versions. Returns their names. @throws RebuildRunning, SchemaInUse */
export async function dropFormerSchemas(connectionString: string): Promise<readonly string[]> {
  return withDatabase(connectionString, (db) =>
    holdRebuildLock(db, async () => {
      const { rows } = await sql<{ schema: string; status: SchemaStatus }>`
        select schema, status from read_models.versions
        where status = 'former' or version < ${PROJECTION_VERSION} order by version, schema`.execute(db);
      const dropped: string[] = [];
      for (const { schema, status } of rows) {
        if (await dropSchema(db, schema, status)) dropped.push(schema);
      }
      return dropped;
    }),
  );
}

/** Drops partly filled schemas, which ends a rebuild that fills one. Returns their names. @throws SchemaInUse */
export async function abortRebuild(connectionString: string): Promise<readonly string[]> {
  return withDatabase(connectionString, async (db) => {
    const dropped: string[] = [];
    for (const schema of await fillingSchemas(db)) {
      await forbidFilling(db, schema);
      if (await dropSchema(db, schema, 'filling', ABORT_ATTEMPTS)) dropped.push(schema);
    }
    return dropped;
  });
}

/** Forbids further filling. A process that fills the schema stops at its next batch. */
async function forbidFilling(db: ReadDb, schema: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql`
      select from read_models.versions where schema = ${schema} and status = 'filling' for update`.execute(trx);
    if (rows.length === 0) return;
    await trx.withSchema(schema).updateTable('checkpoint').set({ retired: true }).execute();
  });
}
