import { SimulatedJournal } from '@paper/testkit';
import { expect } from 'chai';
import { sql } from 'kysely';
import { Progress } from '../src/serving/progress.ts';
import { runProjector } from '../src/projection/projector.ts';
import { ReadModels } from '../src/serving/read-models.ts';
import { PROJECTION_VERSION } from '../src/models/tables.ts';
import { activeSchema, prepareReadModels } from '../src/projection/registry.ts';
import { dumpSchema, useReadDatabase } from './read-database.ts';

describe('a database with read models of an older version', () => {
  const database = useReadDatabase();

  it('is refilled by the projector, and served once it is as far as the old ones were', async () => {
    const { db } = database();
    const simulated = new SimulatedJournal({ seed: 3 });
    await simulated.run(300);
    const reached = simulated.head.seq;
    // As the version before has left it.
    const old = await activeSchema(db);
    await sql`update ${sql.id(old ?? '', 'checkpoint')} set seq = ${reached}`.execute(db);
    await sql`update read_models.versions set version = ${PROJECTION_VERSION - 1} where schema = ${old}`.execute(db);
    await simulated.run(50);

    await prepareReadModels(db);
    const schema = await activeSchema(db);
    expect(schema).not.to.equal(old);
    const readModels = new ReadModels(db);
    const seqSeen = (): Promise<unknown> => readModels.read(({ seq }) => Promise.resolve(seq)).catch((e: unknown) => e);
    expect(await seqSeen()).to.include({
      code: 'unavailable',
      message: 'the read models are being refilled; try again',
    });

    const seen: unknown[] = [];
    const stopping = new AbortController();
    const progress = new Progress();
    const projector = runProjector(
      {
        journal: simulated.journal,
        db,
        batchSize: 50,
        onProgress: ({ seq }) => {
          seen.push(seq);
          progress.set(seq);
        },
      },
      stopping.signal,
    );
    expect(await progress.reached(simulated.head.seq, 10_000)).to.equal(true);
    stopping.abort();
    await projector;
    expect(seen.length).to.be.greaterThan(3);
    expect(await seqSeen()).to.equal(simulated.head.seq);

    // Nothing is waited for any more: `served_from` is 0, as in read models that served from the beginning.
    const expected = await dumpSchema(db, await database().filled(simulated));
    expect(await dumpSchema(db, schema ?? '')).to.deep.equal(expected);
    // A server of the old version still reads it.
    const { rows } = await sql`select from ${sql.id(old ?? '', 'checkpoint')} where not retired`.execute(db);
    expect(rows).to.have.length(1);
  });
});
