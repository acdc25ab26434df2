import { sql } from 'kysely';
import { createIndexes } from '../engine/create-schema.ts';
import type { ReadDb, TableName } from '../models/tables.ts';
import { SchemaRetired } from '../engine/faults.ts';
import { TABLES } from '../models/tables.ts';
import { alongside } from './exclusively.ts';

/**
 * Makes of filled tables ones that can be read: with keys and indexes, and with statistics, without which the first
 * reads after the swap would be planned as for empty tables.
 *
 * @param atOnce so many tables at a time, each on a connection of its own
 * @throws SchemaRetired where the schema is not there.
 */
export async function finishTables(db: ReadDb, schema: string, atOnce: number): Promise<void> {
  const { rows } = await sql<{ name: TableName }>`
    select tablename as name from pg_tables where schemaname = ${schema}
    order by pg_table_size(format('%I.%I', schemaname, tablename)) desc`.execute(db);
  if (rows.length === 0) throw new SchemaRetired(`${schema} is not there`);
  // The largest first, so that all connections finish at about the same time.
  const waiting = rows.values();
  const finishing = Array.from({ length: atOnce }, () =>
    alongside(db, async (session) => {
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
