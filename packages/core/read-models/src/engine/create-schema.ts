import { sql } from 'kysely';
import type { QueryExecutorProvider } from 'kysely';
import type { Table } from './table.ts';
import { createTrigramIndexes } from './trigrams.ts';

/** Creates a schema with empty tables at sequence 0, which readers do not use before `servedFrom`. */
export async function createSchema(
  db: QueryExecutorProvider,
  schema: string,
  tables: readonly Table[],
  servedFrom: number,
): Promise<void> {
  await sql`create schema ${sql.id(schema)}`.execute(db);
  for (const table of tables) {
    const parts = [
      ...Object.entries(table.columns).map(
        ([column, { sql: type, nullable }]) => `${column} ${type}${nullable ? '' : ' not null'}`,
      ),
      ...(table.keyedLater ? [] : [`primary key (${table.primaryKey.join(', ')})`]),
      ...table.checks.map((check) => `check (${check})`),
    ];
    await sql`create table ${sql.id(schema, table.name)} (${sql.raw(parts.join(', '))})`.execute(db);
  }
  await sql`insert into ${sql.id(schema, 'checkpoint')} (name, seq, hash, at_ms, retired, served_from)
    values ('main', 0, ${'0'.repeat(64)}, 0, false, ${servedFrom})`.execute(db);
}

/** Creates missing keys, and the indexes that only queries need; a rebuild does so at its end. */
export async function createIndexes(
  db: QueryExecutorProvider,
  schema: string,
  tables: readonly Table[],
): Promise<void> {
  await createKeys(db, schema, tables);
  await createTrigramIndexes(db, schema, tables);
  for (const { name, indexes } of tables) {
    for (const [position, { unique, on }] of indexes.entries()) {
      await sql`create ${sql.raw(unique === true ? 'unique' : '')} index if not exists
        ${sql.id(`${name}_by_${position}`)} on ${sql.id(schema, name)} ${sql.raw(on)}`.execute(db);
    }
  }
}

/** Creates missing primary keys. A fold that resumes on large tables needs them too. */
export async function createKeys(db: QueryExecutorProvider, schema: string, tables: readonly Table[]): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = ${schema} and c.relkind = 'r' and c.relname = any(${tables.map(({ name }) => name)})
      and not exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary)`.execute(db);
  for (const { name } of rows) {
    const key = tables.find((table) => table.name === name)?.primaryKey ?? [];
    await sql`alter table ${sql.id(schema, name)} add primary key (${sql.raw(key.join(', '))})`.execute(db);
  }
}
