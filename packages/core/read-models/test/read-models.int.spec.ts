import { Unavailable } from '@paper/contracts';
import { testDatabase } from '@paper/testkit';
import { expect } from 'chai';
import { sql } from 'kysely';
import { connectReadModels } from '../src/projection/database.ts';
import type { JsonQuery } from '../src/models/json-query.ts';
import { ReadModels } from '../src/serving/read-models.ts';
import { activeSchema } from '../src/projection/registry.ts';
import { useReadDatabase } from './read-database.ts';

const seqOf = (readModels: ReadModels): Promise<unknown> =>
  readModels.read(({ seq }) => Promise.resolve(seq)).catch((error: unknown) => error);

const startingBalance: JsonQuery<number | null, number | null> = {
  build: (db, name) =>
    sql<number | null>`${db.selectFrom('settings').select('starting_balance_units').where('name', '=', name)}`,
  answer: (found) => found,
};

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

  it('answers a question at one sequence, and in the schema that is active by then', async () => {
    const { connectionString, db } = database();
    const connected = connectReadModels({ connectionString, prepare: true });
    const readModels = new ReadModels(connected);
    const before = (await activeSchema(db)) ?? '';
    const next = await database().newSchema();
    for (const [schema, id] of [
      [before, 'before'],
      [next, 'next'],
    ] as const) {
      await db
        .withSchema(schema)
        .insertInto('settings')
        .values({ name: id, starting_balance_units: 1, compliance_mode: 'paper' })
        .execute();
    }
    await db.withSchema(next).updateTable('checkpoint').set({ seq: 8 }).execute();
    // Twice each: what is prepared is asked again, and not of the schema before.
    for (const [name, value] of [
      ['before', 1],
      ['before', 1],
      ['next', null],
    ] as const) {
      expect(await readModels.queryOne(startingBalance, name)).to.deep.equal({ schema: before, seq: 7, value });
    }
    await db.transaction().execute(async (trx) => {
      await sql`update read_models.versions set status = 'former' where schema = ${before}`.execute(trx);
      await sql`update read_models.versions set status = 'active' where schema = ${next}`.execute(trx);
    });
    for (const [name, value] of [
      ['next', 1],
      ['next', 1],
      ['before', null],
    ] as const) {
      expect(await readModels.queryOne(startingBalance, name)).to.deep.equal({ schema: next, seq: 8, value });
    }
    expect(await readModels.seq()).to.equal(8);
    await connected.destroy();
  });

  it('answers a question anew when the schema has gone under it', async () => {
    const { db } = database();
    const readModels = new ReadModels(db);
    await readModels.queryOne(startingBalance, 'next');
    const former = (await activeSchema(db)) ?? '';
    const next = await database().newSchema();
    await db.transaction().execute(async (trx) => {
      await sql`delete from read_models.versions where schema = ${former}`.execute(trx);
      await sql`drop schema ${sql.id(former)} cascade`.execute(trx);
      await sql`update read_models.versions set status = 'active' where schema = ${next}`.execute(trx);
    });
    expect(await readModels.queryOne(startingBalance, 'next')).to.deep.equal({ schema: next, seq: 0, value: null });
    await db.withSchema(next).updateTable('checkpoint').set({ served_from: 5 }).execute();
    const error: unknown = await readModels.queryOne(startingBalance, 'next').catch((refused: unknown) => refused);
    expect(error).to.be.instanceOf(Unavailable).that.has.property('message').that.contains('being filled');
    await db.withSchema(next).updateTable('checkpoint').set({ seq: 7, served_from: 5 }).execute();
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
      const readModels = new ReadModels(other);
      const asked: unknown = await readModels.queryOne(startingBalance, 'main').catch((error: unknown) => error);
      for (const error of [await seqOf(readModels), asked]) {
        expect(error).to.be.instanceOf(Unavailable);
      }
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
