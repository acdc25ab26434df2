import { ApiError } from '@paper/contracts';
import { expect } from 'chai';
import { sql } from 'kysely';
import { connectReader, createReader, type Reader } from '../src/reader.ts';
import { activeSchema } from '../src/registry.ts';
import { ReadModels } from '../src/read-models.ts';
import { useReadDatabase } from './read-database.ts';

const caught = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error);
const fail = (error: Error): never => {
  throw error;
};

describe('a reader elsewhere than the projector', () => {
  const database = useReadDatabase();
  let reader: Reader;

  beforeEach(() => {
    const { connectionString } = database();
    const journal = Promise.resolve({ head: () => Promise.resolve({ seq: 100, hash: 'h' }) });
    reader = createReader({ connectionString, journal, onIdleError: fail });
  });
  afterEach(() => reader.close());

  const projectionIsAt = async (seq: number): Promise<void> => {
    const { db } = database();
    await db
      .withSchema((await activeSchema(db)) ?? '')
      .updateTable('checkpoint')
      .set({ seq })
      .execute();
  };

  it('is behind again when the database has lost what it had reached, and waits for it to be there anew', async () => {
    await projectionIsAt(100);
    expect(await reader.freshness.reached(10_000)).to.equal(100);
    await projectionIsAt(90);
    expect(await caught(reader.freshness.reached(50)))
      .to.be.instanceOf(ApiError)
      .that.includes({ status: 503 });
    const reached = reader.freshness.reached(10_000);
    await projectionIsAt(100);
    expect(await reached).to.equal(100);
    expect(await reader.readModels.read(({ seq }) => Promise.resolve(seq))).to.equal(100);
  });
});

describe('the connections of readers', () => {
  const database = useReadDatabase();

  it('give up a statement that takes longer than anybody waits, and answer the next', async () => {
    const { connectionString } = database();
    const db = connectReader({ connectionString, statementTimeoutMs: 50, onIdleError: fail });
    const readModels = new ReadModels(db);
    const slow = await caught(readModels.read((view) => sql`select pg_sleep(600)`.execute(view.db)));
    expect(slow).to.be.instanceOf(ApiError).that.includes({ code: 'unavailable', status: 503 });
    expect(await readModels.seq()).to.equal(0);
    await db.destroy();
  });

  it('have such a limit unless told another, above the 10 s that a request may take', async () => {
    const db = connectReader({ connectionString: database().connectionString, onIdleError: fail });
    const { rows } = await sql<{ ms: number }>`
      select setting::int8 as ms from pg_settings where name = 'statement_timeout'`.execute(db);
    expect(rows[0]?.ms).to.be.within(10_001, 15_000);
    await db.destroy();
  });
});
