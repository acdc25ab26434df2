import { testDatabase } from '@paper/testkit';
import type { TestDatabase } from '@paper/testkit';
import { expect } from 'chai';
import type pg from 'pg';
import { openPool } from '../src/index.ts';

describe('a pool', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  const idle: Error[] = [];
  beforeEach(async () => {
    database = await testDatabase();
    pool = openPool({ connectionString: database.connectionString, max: 2 }, (error) => idle.push(error));
  });
  afterEach(async () => {
    await pool.end();
    await database.close();
  });

  const backendOf = async (client: pg.PoolClient): Promise<number> =>
    (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid ?? 0;
  const ended = (client: pg.PoolClient): Promise<void> => new Promise((resolve) => void client.once('end', resolve));

  it('survives a connection that breaks between two queries of its user', async () => {
    const [held, other] = [await pool.connect(), await pool.connect()];
    const end = ended(held);
    await other.query('select pg_terminate_backend($1)', [await backendOf(held)]);
    await end;
    const failed = await held.query('select 1').catch((error: unknown) => error);
    expect(failed).to.be.instanceOf(Error);
    held.release(true);
    other.release();
    expect(idle).to.deep.equal([]);
    expect((await pool.query('select 1 as one')).rows).to.deep.equal([{ one: 1 }]);
  });

  it('tells of a connection that breaks while it is idle, and replaces it', async () => {
    const [held, other] = [await pool.connect(), await pool.connect()];
    const [pid, end] = [await backendOf(held), ended(held)];
    held.release();
    await other.query('select pg_terminate_backend($1)', [pid]);
    await end;
    expect(idle).to.have.length(1);
    expect(String(idle[0])).to.contain('terminating connection');
    other.release();
    expect((await pool.query('select 1 as one')).rows).to.deep.equal([{ one: 1 }]);
  });
});
