import { ApiError } from '@paper/contracts';
import { testDatabase } from '@paper/testkit';
import { expect } from 'chai';
import { sql } from 'kysely';
import { connectReadModels } from '../src/database.ts';
import { ReadModels } from '../src/read-models.ts';
import { activeSchema } from '../src/registry.ts';
import { useReadDatabase } from './read-database.ts';

const seqOf = (readModels: ReadModels): Promise<unknown> =>
  readModels.read(({ seq }) => Promise.resolve(seq)).catch((error: unknown) => error);

describe('reading', () => {
  const database = useReadDatabase();

  it('sees one sequence of the journal', async () => {
    expect(await seqOf(new ReadModels(database().db))).to.equal(0);
  });

  it('goes over to another schema as soon as that is the active one, though the old one is still there', async () => {
    const { db } = database();
    const readModels = new ReadModels(db);
    expect(await seqOf(readModels)).to.equal(0);
    const [before, next] = [await activeSchema(db), await database().newSchema()];
    await db.withSchema(next).updateTable('checkpoint').set({ seq: 7 }).execute();
    await db.transaction().execute(async (trx) => {
      await sql`update read_models.versions set status = 'former' where schema = ${before}`.execute(trx);
      await sql`update read_models.versions set status = 'active' where schema = ${next}`.execute(trx);
    });
    expect(await seqOf(readModels)).to.equal(7);
  });

  it('cannot write', async () => {
    const writing = new ReadModels(database().db).read(({ db }) =>
      db.updateTable('checkpoint').set({ seq: 9 }).execute(),
    );
    expect(await writing.catch((error: unknown) => error)).to.have.property('code', '25006');
  });

  it('answers unavailable where nothing was prepared, and where there is no database', async () => {
    const empty = await testDatabase();
    const nowhere = new URL(empty.connectionString);
    nowhere.port = '1';
    for (const connectionString of [empty.connectionString, nowhere.href]) {
      const other = connectReadModels({ connectionString });
      const error = await seqOf(new ReadModels(other));
      expect(error).to.be.instanceOf(ApiError).that.includes({ code: 'unavailable', status: 503 });
      await other.destroy();
    }
    await empty.close();
  });

  it('answers unavailable when its connections are cut, and works again after', async () => {
    const { connectionString, db } = database();
    const other = connectReadModels({ connectionString });
    const readModels = new ReadModels(other);
    const cut = readModels.read(async ({ db: view }) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(view);
      await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(db);
      return view.selectFrom('orders').select('id').execute();
    });
    expect(await cut.catch((error: unknown) => error)).to.have.property('code', 'unavailable');
    expect(await seqOf(readModels)).to.equal(7);
    await other.destroy();
  });
});
