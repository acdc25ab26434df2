import { SimulatedJournal } from '@paper/testkit';
import { expect } from 'chai';
import { JournalDiverged } from '../src/engine/divergence.ts';
import { runProjector } from '../src/projection/projector.ts';
import { Progress } from '../src/serving/progress.ts';
import { activeSchema } from '../src/projection/registry.ts';
import { caught } from './caught.ts';
import { dumpSchema, readDatabase } from './read-database.ts';
import type { ReadDatabase } from './read-database.ts';

describe('a projector whose read models are not of its journal', function () {
  this.timeout(30_000);
  let database: ReadDatabase;
  let simulated: SimulatedJournal;
  let schema: string;
  beforeEach(async () => {
    database = await readDatabase();
    simulated = new SimulatedJournal({ seed: 12 });
    await simulated.run(20);
    schema = (await activeSchema(database.db)) ?? '';
  });
  afterEach(() => database.close());

  it('does not begin, and leaves them as they are', async () => {
    const { db } = database;
    await db
      .withSchema(schema)
      .updateTable('checkpoint')
      .set({ seq: 2, hash: 'f'.repeat(64) })
      .execute();
    const before = await dumpSchema(db, schema);
    const error = await caught(runProjector({ journal: simulated.journal, db }, new AbortController().signal));
    expect(error).to.be.instanceOf(JournalDiverged);
    expect(error).to.have.property('checkpoint').that.includes({ seq: 2 });
    expect(error).to.have.property('divergence').that.includes({ kind: 'other_event', schema, seq: 2 });
    expect(await dumpSchema(db, schema)).to.deep.equal(before);
  });

  it('ends where the journal is replaced while it follows', async () => {
    const { seq } = simulated.head;
    const progress = new Progress();
    let isReplaced = false;
    const journal = {
      ...simulated.journal,
      head: () => (isReplaced ? Promise.resolve({ seq: 1, hash: 'other' }) : simulated.journal.head()),
    };
    const stopping = new AbortController();
    const projecting = caught(
      runProjector({ journal, db: database.db, onProgress: (at) => progress.set(at.seq) }, stopping.signal),
    );
    try {
      expect(await progress.reached(seq, 10_000)).to.equal(true);
      isReplaced = true;
      expect(await Promise.race([projecting, progress.reachedFromNow(seq + 1, 10_000)]))
        .to.be.instanceOf(JournalDiverged)
        .that.has.property('divergence')
        .that.deep.equals({ kind: 'journal_ends_before', schema, seq, headSeq: 1 });
    } finally {
      stopping.abort();
      await projecting;
    }
  });

  it('ends before a page that does not follow from the page before it', async () => {
    const other = new SimulatedJournal({ seed: 13 });
    await other.run(20);
    const end = simulated.ends[5] ?? 0;
    const journal = {
      ...other.journal,
      async *follow() {
        yield await simulated.journal.read(1, end);
        yield await other.journal.read(end + 2, 3);
      },
    };
    expect(await caught(runProjector({ journal, db: database.db }, new AbortController().signal)))
      .to.be.instanceOf(JournalDiverged)
      .that.has.property('divergence')
      .that.includes({ kind: 'other_event', seq: end });
  });
});
