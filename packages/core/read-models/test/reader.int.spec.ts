import { Unavailable } from '@paper/contracts';
import { EMPTY_HEAD } from '@paper/journal';
import { expect } from 'chai';
import { sql } from 'kysely';
import { Progress } from '../src/serving/progress.ts';
import type { JsonQuery } from '../src/models/json-query.ts';
import { connectReader, createReader } from '../src/serving/reader.ts';
import type { Reader } from '../src/serving/reader.ts';
import { activeSchema } from '../src/projection/registry.ts';
import { ReadModels } from '../src/serving/read-models.ts';
import type { ReadView } from '../src/serving/read-models.ts';
import { caught } from './caught.ts';
import { useReadDatabase } from './read-database.ts';

const fail = (error: Error): never => {
  throw error;
};

describe('a reader elsewhere than the projector', () => {
  const database = useReadDatabase();
  let reader: Reader;
  let longReadBackends: number[];

  beforeEach(() => {
    const { connectionString } = database();
    const journal = Promise.resolve({
      head: () => Promise.resolve({ ...EMPTY_HEAD, seq: 100 }),
      // Each has the hash that a new checkpoint has.
      read: (seq: number) =>
        Promise.resolve([{ ...EMPTY_HEAD, seq, id: '', type: '', publicText: '', privateText: null }]),
    });
    longReadBackends = [];
    const onLongReadBackend = (pid: number) => longReadBackends.push(pid);
    reader = createReader({ connectionString, journal, onIdleError: fail, onLongReadBackend });
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
    expect(await reader.freshness.reached({ timeoutMs: 10_000 })).to.equal(100);
    await projectionIsAt(90);
    expect(await caught(reader.freshness.reached({ timeoutMs: 50 }))).to.be.instanceOf(Unavailable);
    const reached = reader.freshness.reached({ timeoutMs: 10_000 });
    await projectionIsAt(100);
    expect(await reached).to.equal(100);
    expect(await reader.readModels.read(({ seq }) => Promise.resolve(seq))).to.equal(100);
  });

  it('serves long reads on connections of their own, and names their backends', async () => {
    await projectionIsAt(100);
    const backend = ({ db }: ReadView) =>
      sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db).then(({ rows }) => rows[0]?.pid);
    const short = await reader.readModels.read(backend);
    const long = await reader.readModels.readLong(backend, new AbortController().signal);
    expect(longReadBackends).to.deep.equal([long]).and.not.include(short);
  });
});

/** As after a crash of the database that the projector has not noticed yet: it was at 100, and is at 90. */
describe('a read of read models that have gone back', () => {
  const database = useReadDatabase();
  const startingBalance: JsonQuery<number, number> = {
    build: (db, name) =>
      sql<number>`${db.selectFrom('settings').select('starting_balance_units').where('name', '=', name)}`,
    answer: (found) => found,
  };
  /** Each of them gives the sequence that it shows. */
  const kinds: Record<string, (readModels: ReadModels) => Promise<number>> = {
    read: (readModels) => readModels.read(({ seq }) => Promise.resolve(seq)),
    ask: async (readModels) => (await readModels.queryOne(startingBalance, 'main')).seq,
  };
  const projectionIsAt = async (seq: number): Promise<void> => {
    const { db } = database();
    const tables = db.withSchema((await activeSchema(db)) ?? '');
    await tables.updateTable('checkpoint').set({ seq }).execute();
  };
  /** Readers that have seen sequence 100: in the checkpoint that they read, or in the projector's progress. */
  const readers: Record<string, () => Promise<ReadModels>> = {
    'elsewhere than the projector': async () => {
      await projectionIsAt(100);
      const readModels = new ReadModels(database().db);
      await readModels.seq();
      return readModels;
    },
    'beside the projector': () => {
      const told = new Progress();
      told.set(100);
      // The projector has noticed the crash already, and has reset its progress.
      told.set(0);
      return Promise.resolve(new ReadModels(database().db, told));
    },
  };

  for (const [where, reader] of Object.entries(readers)) {
    for (const [kind, seqOf] of Object.entries(kinds)) {
      it(`is done again when they are back, ${where}: ${kind}`, async () => {
        const readModels = await reader();
        await projectionIsAt(90);
        // It looks how far they are only where it has found that they are behind.
        const behind = new Promise<void>((resolve) => {
          const served = readModels.served.bind(readModels);
          readModels.served = () => {
            resolve();
            return served();
          };
        });
        const reading = seqOf(readModels);
        expect(await Promise.race([reading, behind])).to.equal(undefined);
        await projectionIsAt(101);
        expect(await reading).to.equal(101);
      });
    }

    it(`is unavailable where they do not come back, and nothing was looked up in them, ${where}`, async () => {
      const readModels = await reader();
      await projectionIsAt(90);
      let lookedUp = 0;
      const reads = [
        readModels.read(() => Promise.resolve((lookedUp += 1))),
        readModels.queryOne({ ...startingBalance, answer: () => (lookedUp += 1) }, 'main'),
      ];
      for (const error of await Promise.all(reads.map(caught))) {
        expect(error).to.be.instanceOf(Unavailable);
        expect(error).to.have.property('message', 'the read models are behind what they have shown; try again');
      }
      expect(lookedUp).to.equal(0);
      expect(await readModels.seq()).to.equal(90);
    });
  }

  it('asks for no more than a read of a moment before had to show: one that is slow may be overtaken', async () => {
    await projectionIsAt(100);
    const readModels = new ReadModels(database().db);
    const seq = await readModels.read(async (view) => {
      await projectionIsAt(110);
      expect(await readModels.read((later) => Promise.resolve(later.seq))).to.equal(110);
      return view.seq;
    });
    expect(seq).to.equal(100);
  });

  it('says nothing about the read models that take over: they may be of another journal', async () => {
    const { db } = database();
    await projectionIsAt(100);
    const readModels = new ReadModels(db);
    expect(await readModels.seq()).to.equal(100);
    const [before, next] = [await activeSchema(db), await database().newSchema()];
    await db.withSchema(next).updateTable('checkpoint').set({ seq: 7 }).execute();
    await db.transaction().execute(async (trx) => {
      await sql`update read_models.versions set status = 'former' where schema = ${before}`.execute(trx);
      await sql`update read_models.versions set status = 'active' where schema = ${next}`.execute(trx);
    });
    expect(await readModels.read(({ seq }) => Promise.resolve(seq))).to.equal(7);
  });
});

describe('the connections of readers', () => {
  const database = useReadDatabase();

  it('give up a statement that takes longer than anybody waits, and answer the next', async () => {
    const { connectionString } = database();
    const db = connectReader({ connectionString, statementTimeoutMs: 50, onIdleError: fail });
    const readModels = new ReadModels(db);
    const slow = await caught(readModels.read((view) => sql`select pg_sleep(600)`.execute(view.db)));
    expect(slow).to.be.instanceOf(Unavailable);
    expect(await readModels.seq()).to.equal(0);
    await db.destroy();
  });

  it('have such a limit unless another is set, above the 10 s that a request may take', async () => {
    const db = connectReader({ connectionString: database().connectionString, onIdleError: fail });
    const { rows } = await sql<{ ms: number }>`
      select setting::int8 as ms from pg_settings where name = 'statement_timeout'`.execute(db);
    expect(rows[0]?.ms).to.be.within(10_001, 15_000);
    await db.destroy();
  });
});
