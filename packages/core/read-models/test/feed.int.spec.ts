import { once, EventEmitter } from 'node:events';
import type { Journal } from '@paper/journal';
import { SimulatedJournal } from '@paper/testkit';
import { expect } from 'chai';
import { sql } from 'kysely';
import { SchemaRetired } from '../src/engine/faults.ts';
import { runProjector } from '../src/projection/projector.ts';
import { activeSchema } from '../src/projection/registry.ts';
import { caught } from './caught.ts';
import { dumpSchema, readDatabase } from './read-database.ts';
import type { ReadDatabase } from './read-database.ts';

/** Wraps a journal. `taken` resolves once the follower has taken all events up to a sequence and asks for more. */
function watched(journal: Journal): { readonly journal: Journal; readonly taken: (seq: number) => Promise<void> } {
  const told = new EventEmitter();
  let takenSeq = 0;
  return {
    journal: {
      ...journal,
      async *follow(fromSeq, options) {
        for await (const page of journal.follow(fromSeq, options)) {
          yield page;
          takenSeq = page.at(-1)?.seq ?? takenSeq;
          told.emit('taken');
        }
      },
    },
    async taken(seq) {
      while (takenSeq < seq) await once(told, 'taken');
    },
  };
}

describe('a projector that follows the journal', function () {
  this.timeout(30_000);
  let database: ReadDatabase;
  let simulated: SimulatedJournal;
  beforeEach(async () => {
    database = await readDatabase();
    simulated = new SimulatedJournal({ seed: 12 });
  });
  afterEach(() => database.close());

  it('writes in one transaction all that came while the one before was written', async () => {
    const { db } = database;
    const schema = (await activeSchema(db)) ?? '';
    const { journal, taken } = watched(simulated.journal);
    const stopping = new AbortController();
    const written: number[] = [];
    const told = new EventEmitter();
    const projector = runProjector(
      {
        journal,
        db,
        onProgress: ({ seq }) => {
          written.push(seq);
          told.emit('written');
        },
      },
      stopping.signal,
    );
    await once(told, 'written');
    let first = 0;
    await db.transaction().execute(async (trx) => {
      // Its first transaction waits.
      await trx.withSchema(schema).selectFrom('checkpoint').select('seq').forUpdate().execute();
      await simulated.run(1);
      first = simulated.head.seq;
      await taken(first);
      for (let round = 0; round < 10; round += 1) {
        await simulated.run(5);
        await taken(simulated.head.seq);
      }
    });
    while (written.at(-1) !== simulated.head.seq) await once(told, 'written');
    stopping.abort();
    await projector;
    expect(written).to.deep.equal([0, first, simulated.head.seq]);
    expect(await dumpSchema(db, schema)).to.deep.equal(await dumpSchema(db, await database.filled(simulated)));
  });

  it('tells of a write that failed, though nothing more comes', async () => {
    const { db } = database;
    const schema = (await activeSchema(db)) ?? '';
    await simulated.run(50);
    // The last table that a batch writes.
    await sql`alter table ${sql.id(schema, 'book_levels')} rename to book_levels_away`.execute(db);
    const { signal } = new AbortController();
    const error = await caught(runProjector({ journal: simulated.journal, db }, signal));
    expect(error).to.be.instanceOf(SchemaRetired);
  });
});
