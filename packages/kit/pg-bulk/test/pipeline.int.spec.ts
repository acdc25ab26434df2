import { testDatabase } from '@paper/testkit';
import type { TestDatabase } from '@paper/testkit';
import { expect } from 'chai';
import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { CopiedRows, copying, CopyRows, int8, openPool, Pipeline, PipelineError } from '../src/index.ts';
import type { PipelinedStatement } from '../src/index.ts';

const INSERT = 'insert into pipelined (n) values ($1::int8)';

describe('a pipeline', () => {
  let database: TestDatabase;
  let db: Kysely<unknown>;
  let pool: pg.Pool;
  before(async function () {
    this.timeout(60_000);
    database = await testDatabase();
    // The pool has one connection, so that each test runs on the connection that the test before used.
    pool = openPool({ connectionString: database.connectionString, max: 1 });
    db = new Kysely({ dialect: new PostgresDialect({ pool: copying(pool) }) });
    await sql`create table pipelined (n int8 primary key)`.execute(db);
  });
  beforeEach(() => sql`truncate pipelined`.execute(db));
  after(async () => {
    await db.destroy();
    await database.close();
  });

  const insert = (n: number | string): PipelinedStatement => ({ text: INSERT, values: [String(n)] });
  const copy = (...numbers: readonly number[]): PipelinedStatement => {
    const rows = new CopyRows({ n: int8 });
    for (const n of numbers) rows.add({ n });
    return { text: 'copy pipelined (n) from stdin (format binary)', values: new CopiedRows(rows.end()) };
  };
  const run = (...statements: readonly PipelinedStatement[]) =>
    db.executeQuery(CompiledQuery.raw('', [new Pipeline(statements)]));
  const failureOf = async (running: Promise<unknown>): Promise<PipelineError> => {
    const error: unknown = await running.then(
      () => null,
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof PipelineError)) throw new Error(`no pipeline has failed: ${String(error)}`);
    return error;
  };
  const stored = async (): Promise<readonly number[]> => {
    const { rows } = await sql<{ n: string }>`select n from pipelined order by n`.execute(db);
    return rows.map(({ n }) => Number(n));
  };

  it('runs its statements in order, copies among them', async () => {
    await run(insert(1), copy(2, 3), { text: 'delete from pipelined where n < $1::int8', values: ['3'] }, insert(4));
    expect(await stored()).to.deep.equal([3, 4]);
  });

  it('prepares each text once for a connection', async () => {
    for (const n of [1, 2, 3]) await run(insert(n), insert(10 + n));
    const { rows } = await sql<{ count: string }>`
      select count(*) from pg_prepared_statements where statement = ${INSERT}`.execute(db);
    expect(Number(rows[0]?.count)).to.equal(1);
  });

  it('changes nothing where a statement fails, and names it', async () => {
    await run(insert(1));
    const error = await failureOf(run(insert(2), copy(3), insert(1), insert(4), copy(5)));
    expect(error.index).to.equal(2);
    expect(error.cause).to.have.property('code', '23505');
    expect(await stored()).to.deep.equal([1]);
  });

  it('changes nothing where a copy fails, before its rows or in them', async () => {
    expect((await failureOf(run(insert(1), copy(2, 1), insert(3)))).index).to.equal(1);
    const away = { ...copy(7), text: 'copy not_there (n) from stdin (format binary)' };
    expect((await failureOf(run(insert(1), away, insert(3)))).cause).to.have.property('code', '42P01');
    expect(await stored()).to.deep.equal([]);
  });

  it('fails as its last statement where the commit fails', async () => {
    await sql`alter table pipelined add constraint late foreign key (n) references pipelined deferrable initially deferred`.execute(
      db,
    );
    await sql`create table other (n int8 references pipelined deferrable initially deferred)`.execute(db);
    const dangling = { text: 'insert into other values ($1::int8)', values: ['9'] };
    expect((await failureOf(run(insert(1), dangling))).index).to.equal(1);
    expect(await stored()).to.deep.equal([]);
    await sql`drop table other`.execute(db);
  });

  it('runs again after a failure, also with statements that the failed one was to prepare', async () => {
    const next = { text: 'insert into pipelined (n) values (100 + $1::int8)', values: ['1'] };
    await failureOf(run(insert('none'), next));
    await run(insert(1), next);
    expect(await stored()).to.deep.equal([1, 101]);
  });

  it('fails with its connection, and the next one runs on another', async () => {
    const other = new pg.Client({ connectionString: database.connectionString });
    await other.connect();
    await other.query('begin; lock table pipelined in access exclusive mode');
    const running = run(insert(1)).then(
      () => 'committed',
      (error: unknown) => String(error),
    );
    const waiting = `select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    let pids: readonly { readonly pid: number }[] = [];
    while (pids.length === 0) pids = (await other.query<{ pid: number }>(waiting)).rows;
    await other.query('select pg_terminate_backend($1)', [pids[0]?.pid]);
    expect(await running).to.match(/terminat/);
    await other.end();
    await run(insert(2));
    expect(await stored()).to.deep.equal([2]);
  });
});
