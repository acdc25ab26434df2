import { testDatabase } from '@paper/testkit';
import type { TestDatabase } from '@paper/testkit';
import { expect } from 'chai';
import fc from 'fast-check';
import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import {
  bool,
  CopiedRows,
  copying,
  copyOut,
  CopyRows,
  float8,
  int2,
  int8,
  nullable,
  RowColumns,
  text,
  texts,
} from '../src/index.ts';
import type { Columns } from '../src/index.ts';

const COLUMNS: Columns = {
  n: int8,
  s: nullable(int2),
  t: nullable(text()),
  many: texts(),
  f: nullable(float8),
  b: bool,
};

/** Any text that Postgres can store, often with special characters of COPY's text format. */
const anyText = fc.oneof(
  fc.constantFrom(
    '',
    'NULL',
    '\\N',
    '\\.',
    '\\',
    '"',
    '\t',
    '\n',
    '\r',
    '\r\n',
    '{}',
    '{a,b}',
    ',',
    ' ',
    'é',
    '😀',
    '\b',
  ),
  fc.string({ unit: 'binary' }).map((value) => value.replaceAll('\0', '')),
);
const anyRow = fc.record({
  n: fc.maxSafeInteger(),
  s: fc.option(fc.integer({ min: -32_768, max: 32_767 })),
  t: fc.option(anyText),
  many: fc.array(anyText, { maxLength: 4 }),
  f: fc.option(fc.double({ noNaN: true }).map((value) => (Object.is(value, -0) ? 0 : value))),
  b: fc.boolean(),
});

describe('rows that are copied', () => {
  let database: TestDatabase;
  let db: Kysely<unknown>;
  before(async function () {
    this.timeout(60_000);
    database = await testDatabase();
    const types = new pg.TypeOverrides();
    types.setTypeParser(pg.types.builtins.INT8, Number);
    const pool = new pg.Pool({ connectionString: database.connectionString, types });
    // A test ends a connection.
    pool.on('error', () => undefined);
    pool.on('connect', (client) => client.on('error', () => undefined));
    db = new Kysely({ dialect: new PostgresDialect({ pool: copying(pool) }) });
  });
  after(async () => {
    await db.destroy();
    await database.close();
  });
  const copyInto = (table: string, rows: CopiedRows) =>
    CompiledQuery.raw(`copy ${table} from stdin (format binary)`, [rows]);
  const copied = (rows: readonly object[]): CopiedRows => {
    const copyRows = new CopyRows(COLUMNS);
    for (const row of rows) copyRows.add(row);
    return new CopiedRows(copyRows.end());
  };

  before(() =>
    sql`create table copied (n int8 not null, s int2, t text, many text[] not null, f float8, b bool not null)`.execute(
      db,
    ),
  );
  beforeEach(() => sql`truncate copied`.execute(db));

  it('come back as they were, whatever characters are in them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyRow, { minLength: 1, maxLength: 20 }), async (rows) => {
        await sql`truncate copied`.execute(db);
        const { numAffectedRows } = await db.executeQuery(copyInto('copied', copied(rows)));
        expect(numAffectedRows).to.equal(BigInt(rows.length));
        const found = await sql`select * from copied order by ctid`.execute(db);
        expect(found.rows).to.deep.equal(rows);
      }),
      { numRuns: 50 },
    );
  });

  it('come back as they were from arrays, too', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyRow, { minLength: 1, maxLength: 20 }), async (rows) => {
        const arrays = RowColumns.of(COLUMNS, rows).end();
        expect(arrays.map(({ name }) => name)).to.deep.equal(Object.keys(COLUMNS));
        const values = arrays.map(({ arrayType, array }) => sql`${array}::${sql.raw(arrayType)}`);
        const found = await sql`
          select n, s, t, array(select json_array_elements_text(many::json)) as many, f, b
          from unnest(${sql.join(values)}) as u(n, s, t, many, f, b)`.execute(db);
        expect(found.rows).to.deep.equal(rows);
      }),
      { numRuns: 50 },
    );
  });

  it('are refused before they are sent where a value is none of its type', () => {
    const good = { n: 1, t: null, many: [], f: null, b: true };
    for (const [bad, message] of [
      [{ n: 'one' }, '"one" where int8 should be'],
      [{ n: 1.5 }, '1.5 where int8 should be'],
      [{ n: 2 ** 53 }, '9007199254740992 where int8 should be'],
      [{ s: 32_768 }, '32768 where int2 should be'],
      [{ s: -32_769 }, '-32769 where int2 should be'],
      [{ s: 0.5 }, '0.5 where int2 should be'],
      [{ t: 1 }, '1 where text should be'],
      [{ many: 'a' }, '"a" where text[] should be'],
      [{ many: [1] }, '1 where text should be'],
      [{ f: '0.5' }, '"0.5" where float8 should be'],
      [{ b: 1 }, '1 where bool should be'],
    ] as const) {
      expect(() => copied([{ ...good, ...bad }])).to.throw(TypeError, message);
    }
  });

  it('are more than one chunk of bytes where they are many', async () => {
    const rows = Array.from({ length: 5000 }, (_, n) => ({ n, t: 'x'.repeat(200), many: [], f: null, b: true }));
    const inChunks = copied(rows);
    expect(inChunks.chunks.length).to.be.greaterThan(1);
    await db.executeQuery(copyInto('copied', inChunks));
    const { rows: sums } = await sql`select count(*) as count, sum(n)::int8 as sum from copied`.execute(db);
    expect(sums).to.deep.equal([{ count: 5000, sum: (5000 * 4999) / 2 }]);
  });

  it('are all or none, and the connection goes on, when Postgres refuses one', async () => {
    const good = { n: 1, t: null, many: [], f: null, b: true };
    await db.connection().execute(async (session) => {
      const refused = session.executeQuery(copyInto('copied', copied([good, { ...good, n: null }])));
      const error = await caught(refused);
      expect(error).to.be.instanceOf(Error).with.property('message').that.includes('null value in column "n"');
      const missing = await caught(session.executeQuery(copyInto('not_there', copied([good]))));
      expect(missing).to.have.property('code', '42P01');
      const { rows } = await sql`select count(*) as count from copied`.execute(session);
      expect(rows).to.deep.equal([{ count: 0 }]);
    });
  });

  it('fail with their connection', async () => {
    const lost = db.connection().execute(async (session) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(session);
      // The lock makes the copy wait, so that it is under way when its server process ends.
      await db.transaction().execute(async (trx) => {
        await sql`lock table copied in access exclusive mode`.execute(trx);
        const copying = session.executeQuery(
          copyInto('copied', copied([{ n: 1, t: null, many: [], f: null, b: true }])),
        );
        copying.catch(() => undefined);
        await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(trx);
        await copying;
      });
    });
    const error = await caught(lost);
    expect(String(error)).to.match(/terminat/);
  });

  it('come out again by a copy of a query, field by field', async () => {
    const rows = Array.from({ length: 300 }, (_, n) => ({ n, t: 'x'.repeat(n * 100), many: [], f: null, b: true }));
    await db.executeQuery(copyInto('copied', copied(rows)));
    const client = new pg.Client({ connectionString: database.connectionString });
    await client.connect();
    try {
      const found: unknown[] = [];
      for await (const [n, t] of copyOut(client, 'select n, t from copied order by n')) {
        found.push([Number(n?.readBigInt64BE()), t?.toString()]);
      }
      expect(found).to.deep.equal(rows.map(({ n, t }) => [n, t]));
    } finally {
      await client.end();
    }
  });
});

/** The error with which a promise rejects; null where it resolves. */
function caught(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => null,
    (error: unknown) => error,
  );
}
