import { sql } from 'kysely';
import { createIndexes } from '../engine/create-schema.ts';
import type { ReadDb, TableName } from '../models/tables.ts';
import { SchemaRetired } from '../engine/faults.ts';
import { TABLES } from '../models/tables.ts';
import { shareRebuildLock } from './rebuild-lock.ts';

/**
 * Makes filled tables readable: adds keys, indexes, and statistics, without which the first reads would be planned as
 * for empty tables. Finishes `atOnce` tables at a time.
 * @throws SchemaRetired when the schema does not exist.
 */
export async function finishTables(db: ReadDb, schema: string, atOnce: number): Promise<void> {
  const { rows } = await sql<{ name: TableName }>`
    select tablename as name from pg_tables where schemaname = ${schema}
    order by pg_table_size(format('%I.%I', schemaname, tablename)) desc`.execute(db);
  if (rows.length === 0) throw new SchemaRetired(`${schema} is not there`);
  // The largest tables come first, so that all connections finish at about the same time.
  const waiting = rows.values();
  const finishing = Array.from({ length: atOnce }, () =>
    shareRebuildLock(db, async (session) => {
      await sql`set maintenance_work_mem = '128MB'`.execute(session);
      for (const { name } of waiting) {
        await createIndexes(session, schema, [TABLES[name]]);
        await sql`vacuum (analyze) ${sql.id(schema, name)}`.execute(session);
      }
    }),
  );
  await Promise.allSettled(finishing);
  await Promise.all(finishing);
}
