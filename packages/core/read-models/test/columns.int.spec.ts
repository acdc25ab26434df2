import { expect } from 'chai';
import { sql } from 'kysely';
import type { Columns } from '@paper/pg-bulk';
import { TABLES } from '../src/models/tables.ts';
import { useReadDatabase } from './read-database.ts';

describe('read model tables', () => {
  const database = useReadDatabase();

  it('are in Postgres what they are declared as', async () => {
    const schema = await database().newSchema();
    const { rows } = await sql<{ table: string; column: string; type: string; nullable: string }>`
      select table_name as table, column_name as column, udt_name as type, is_nullable as nullable
      from information_schema.columns where table_schema = ${schema} order by table_name, ordinal_position`.execute(
      database().db,
    );
    const declared = Object.entries(TABLES)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([table, { columns }]) =>
        Object.entries<Columns[string]>(columns).map(([column, { sql: type, nullable }]) => ({
          table,
          column,
          type: type === 'text[]' ? '_text' : type,
          nullable: nullable ? 'YES' : 'NO',
        })),
      );
    expect(rows).to.deep.equal(declared);
  });

  it('come back as the types that the row types say', async () => {
    const { rows } = await sql<Record<string, unknown>>`select 'x'::text as text, array['x']::text[] as texts,
      9007199254740991::int8 as int8, 0.5::float8 as float8, true as bool, null::int8 as nothing`.execute(
      database().db,
    );
    expect(rows).to.deep.equal([
      { text: 'x', texts: ['x'], int8: 9007199254740991, float8: 0.5, bool: true, nothing: null },
    ]);
  });

  it('refuse a whole number that JavaScript cannot hold', async () => {
    const beyond = sql`select 9007199254740993::int8 as n`.execute(database().db);
    expect(await beyond.catch((error: unknown) => error)).to.be.instanceOf(RangeError);
  });
});
