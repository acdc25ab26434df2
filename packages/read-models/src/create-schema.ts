import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Columns } from './columns.ts';
import { INDEXES } from './indexes.ts';
import { TABLES } from './tables.ts';
import type { ReadTables } from './tables.ts';

/**
 * Creates a schema with empty tables and a checkpoint at sequence 0, that readers do not see before `servedFrom`. What
 * only readers need is `createIndexes`.
 */
export async function createSchema(db: Kysely<ReadTables>, schema: string, servedFrom: number): Promise<void> {
  await sql`create schema ${sql.id(schema)}`.execute(db);
  for (const [name, table] of Object.entries(TABLES)) {
    const columns: Columns = table.columns;
    const parts = [
      ...Object.entries(columns).map(
        ([column, { sql: type, nullable }]) => `${column} ${type}${nullable ? '' : ' not null'}`,
      ),
      `primary key (${table.primaryKey.join(', ')})`,
      ...table.checks.map((check) => `check (${check})`),
    ];
    await sql`create table ${sql.id(schema, name)} (${sql.raw(parts.join(', '))})`.execute(db);
  }
  await db
    .withSchema(schema)
    .insertInto('checkpoint')
    .values({ name: 'main', seq: 0, hash: '0'.repeat(64), at: 0, retired: false, served_from: servedFrom })
    .execute();
}

/**
 * The indexes for queries: the projection itself needs none, so a rebuild makes them at its end. Those that are there
 * already, since one that was cut off had made them, are left alone.
 */
export async function createIndexes(db: Kysely<ReadTables>, schema: string): Promise<void> {
  for (const [position, { table, unique, on }] of INDEXES.entries()) {
    const name = sql.id(`${table}_by_${position}`);
    await sql`create ${sql.raw(unique === true ? 'unique' : '')} index if not exists ${name}
      on ${sql.id(schema, table)} ${sql.raw(on)}`.execute(db);
  }
}
