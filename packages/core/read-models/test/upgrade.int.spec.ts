import { SimulatedJournal } from '@paper/testkit';
import { expect } from 'chai';
import { sql } from 'kysely';
import { ReadModels } from '../src/serving/read-models.ts';
import { PROJECTION_VERSION } from '../src/models/tables.ts';
import { activeSchema } from '../src/projection/registry.ts';
import { fillWhereEmpty } from '../src/rebuild/fill-empty.ts';
import { dumpSchema, useReadDatabase } from './read-database.ts';

describe('a database with read models of an older version', () => {
  const database = useReadDatabase();

  it('is filled as by a rebuild, served once it is whole, and leaves the old ones to servers of their version', async () => {
    const { connectionString, db } = database();
    const simulated = new SimulatedJournal({ seed: 3 });
    await simulated.run(2_000);
    expect(simulated.head.seq).to.be.greaterThan(1_000);
    // As the version before has left it.
    const old = await activeSchema(db);
    await sql`update ${sql.id(old ?? '', 'checkpoint')} set seq = ${simulated.head.seq}`.execute(db);
    await sql`update read_models.versions set version = ${PROJECTION_VERSION - 1} where schema = ${old}`.execute(db);

    const readModels = new ReadModels(db);
    const seqSeen = (): Promise<unknown> => readModels.read(({ seq }) => Promise.resolve(seq)).catch((e: unknown) => e);
    const seen: unknown[] = [];
    const journal = {
      ...simulated.journal,
      async read(from: number, limit: number) {
        if (limit > 1) seen.push(await seqSeen());
        return simulated.journal.read(from, limit);
      },
    };
    await fillWhereEmpty(db, { connectionString, journal });
    expect(seen.length).to.be.greaterThan(1);
    for (const answer of seen) {
      expect(answer).to.include({ code: 'unavailable' });
      expect(answer).to.have.property('message', 'the read models are being filled from the journal; try again');
    }
    expect(await seqSeen()).to.equal(simulated.head.seq);
    const schema = (await activeSchema(db)) ?? '';
    expect(schema).not.to.equal(old);
    expect(await dumpSchema(db, schema)).to.deep.equal(await dumpSchema(db, await database().filled(simulated)));
    const { rows } = await sql`select from ${sql.id(old ?? '', 'checkpoint')} where not retired`.execute(db);
    expect(rows).to.have.length(1);
  });
});
