import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Columns } from '@paper/pg-bulk';
import { INDEXES } from './indexes.ts';
import { TABLES } from './tables.ts';
import type { ReadTables, TableName } from './tables.ts';

/**
 * The projection looks nothing up in them by their keys, or does so for so many rows that it reads the whole table: their
 * keys are for readers and for small batches, and made with the indexes.
 */
const KEYED_LATER: ReadonlySet<string> = new Set<TableName>([
  'fills',
  'market_history',
  'merges',
  'order_changes',
  'orders',
  'settlements',
]);

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
      ...(KEYED_LATER.has(name) ? [] : [`primary key (${table.primaryKey.join(', ')})`]),
      ...table.checks.map((check) => `check (${check})`),
    ];
    await sql`create table ${sql.id(schema, name)} (${sql.raw(parts.join(', '))})`.execute(db);
  }
  await db
    .withSchema(schema)
    .insertInto('checkpoint')
    .values({ name: 'main', seq: 0, hash: '0'.repeat(64), at_ms: 0, retired: false, served_from: servedFrom })
    .execute();
}

/**
 * The keys of all tables, and the indexes for queries: the projection itself needs none of these, so a rebuild makes them
 * at its end. Those that are there already, since one that was cut off had made them, are left alone.
 */
export async function createIndexes(db: Kysely<ReadTables>, schema: string): Promise<void> {
  await createKeys(db, schema);
  for (const table of Object.keys(TABLES)) await createTableIndexes(db, schema, table as TableName);
}

/** Creates the indexes of one table, without its primary key. */
export async function createTableIndexes(db: Kysely<ReadTables>, schema: string, table: TableName): Promise<void> {
  for (const [position, { table: indexed, unique, on }] of INDEXES.entries()) {
    if (indexed !== table) continue;
    const name = sql.id(`${table}_by_${position}`);
    await sql`create ${sql.raw(unique === true ? 'unique' : '')} index if not exists ${name}
      on ${sql.id(schema, table)} ${sql.raw(on)}`.execute(db);
  }
}

/**
 * Creates the primary keys of tables that were made without them. A fold that resumes on large tables needs them too.
 *
 * @param among default: of all tables
 */
export async function createKeys(
  db: Kysely<ReadTables>,
  schema: string,
  among: readonly string[] = Object.keys(TABLES),
): Promise<void> {
  const { rows } = await sql<{ name: TableName }>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = ${schema} and c.relkind = 'r' and c.relname = any(${among})
      and not exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary)`.execute(db);
  for (const { name } of rows) {
    const key = TABLES[name].primaryKey.join(', ');
    await sql`alter table ${sql.id(schema, name)} add primary key (${sql.raw(key)})`.execute(db);
  }
}
