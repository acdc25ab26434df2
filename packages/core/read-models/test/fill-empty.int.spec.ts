import { eventually, SimulatedJournal } from '@paper/testkit';
import { expect } from 'chai';
import { sql } from 'kysely';
import { connectReadModels } from '../src/projection/database.ts';
import { runProjector } from '../src/projection/projector.ts';
import { activeSchema } from '../src/projection/registry.ts';
import { fillWhereEmpty } from '../src/rebuild/fill-empty.ts';
import { rebuildStatus } from '../src/rebuild/status.ts';
import { BeingFilled, ReadModels } from '../src/serving/read-models.ts';
import { FillWatch } from '../src/serving/fill.ts';
import { Progress } from '../src/serving/progress.ts';
import { caught } from './caught.ts';
import { dumpSchema, readDatabase } from './read-database.ts';
import type { ReadDatabase } from './read-database.ts';

describe('empty read models', function () {
  this.timeout(60_000);
  let database: ReadDatabase;
  beforeEach(async () => {
    database = await readDatabase();
    const empty = await activeSchema(database.db);
    await sql`drop schema ${sql.id(empty ?? '')} cascade`.execute(database.db);
    await sql`delete from read_models.versions`.execute(database.db);
  });
  afterEach(() => database.close());

  const grown = async (commands: number): Promise<SimulatedJournal> => {
    const simulated = new SimulatedJournal({ seed: 21 });
    await simulated.run(commands);
    return simulated;
  };
  const seqSeen = (): Promise<unknown> => caughtOr(new ReadModels(database.db).seq());

  it('of a small journal are followed, and served from the head on that it had: reads were answered from half of it', async () => {
    const { connectionString, db } = database;
    const simulated = await grown(100);
    const { journal, head } = simulated;
    const begunAt = head.seq;
    await fillWhereEmpty(db, { connectionString, journal });
    expect(await seqSeen()).to.be.instanceOf(BeingFilled);
    const stopping = new AbortController();
    const [progress, seen] = [new Progress(), [] as unknown[]];
    const projecting = runProjector(
      {
        db,
        batchSize: 20,
        journal: {
          ...journal,
          async *follow(from, options) {
            for await (const page of journal.follow(from, { ...options, pageSize: 20 })) {
              seen.push(await seqSeen());
              yield page;
            }
          },
        },
        onProgress: ({ seq }) => progress.set(seq),
      },
      stopping.signal,
    );
    expect(await progress.reached(begunAt, 10_000)).to.equal(true);
    expect(seen.length).to.be.greaterThan(3);
    for (const one of seen) if (typeof one === 'number') expect(one).to.be.at.least(begunAt);
    expect(seen[2]).to.be.instanceOf(BeingFilled);
    expect(await seqSeen()).to.equal(begunAt);
    stopping.abort();
    await projecting;
    const schema = (await activeSchema(db)) ?? '';
    expect(await dumpSchema(db, schema)).to.deep.equal(await dumpSchema(db, await database.filled(simulated)));
  });

  it('that were made at the start of a process that was killed are not served before they are filled', async () => {
    const { connectionString, db } = database;
    const simulated = await grown(0);
    await fillWhereEmpty(db, { connectionString, journal: simulated.journal });
    expect(await seqSeen()).to.equal(0);
    await simulated.run(50);
    await fillWhereEmpty(db, { connectionString, journal: simulated.journal });
    expect(await seqSeen()).to.be.instanceOf(BeingFilled);
  });

  it('are filled on from where a stop has cut the fill off, whatever it was doing', async () => {
    const { connectionString, db } = database;
    const simulated = await grown(1_500);
    for (const phase of ['filling', 'indexing'] as const) {
      const stopping = new AbortController();
      const lock = connectReadModels({ connectionString, maxConnections: 1 });
      await lock.transaction().execute(async (trx) => {
        const filling = caught(
          fillWhereEmpty(db, {
            connectionString,
            batchSize: 300,
            journal: simulated.journal,
            signal: stopping.signal,
            onProgress: ({ seq }) => {
              if (phase === 'filling' && seq > 300) stopping.abort();
            },
          }),
        );
        if (phase === 'indexing') {
          await eventually('there is a schema', async () => (await fillingOf(db)) !== null);
          // Holds up the making of indexes.
          await sql`lock table ${sql.id((await fillingOf(db)) ?? '', 'orders')} in row exclusive mode`.execute(trx);
          await eventually('an index waits', async () => {
            const { rows } = await sql`select from pg_stat_activity
              where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
            return rows.length > 0;
          });
          stopping.abort();
        }
        expect(await filling).to.be.an('error');
      });
      await lock.destroy();
      expect(await seqSeen()).to.be.instanceOf(BeingFilled);
    }
    await fillWhereEmpty(db, { connectionString, journal: simulated.journal });
    expect(await seqSeen()).to.equal(simulated.head.seq);
    const { schemas } = await rebuildStatus(connectionString);
    expect(schemas.map(({ status }) => status)).to.deep.equal(['active']);
    const schema = (await activeSchema(db)) ?? '';
    expect(await dumpSchema(db, schema)).to.deep.equal(await dumpSchema(db, await database.filled(simulated)));
  });

  it('let readers say how far the fill is, and streams wait for its end', async () => {
    const { connectionString, db } = database;
    const simulated = await grown(1_500);
    const readModels = new ReadModels(db);
    const watch = new FillWatch(readModels, () => simulated.journal.head());
    let isFilled = false;
    const filled = watch.filled()?.then(() => (isFilled = true));
    const seen: unknown[] = [];
    const onProgress = ({ seq }: { readonly seq: number }): void => void seen.push(seq, isFilled);
    await fillWhereEmpty(db, { connectionString, journal: simulated.journal, batchSize: 300, onProgress });
    expect(seen).to.include(simulated.head.seq).and.not.to.include(true);
    await filled;
    expect(watch.filled()).to.equal(undefined);
    const { seq: target } = simulated.head;
    expect(await watch.progress()).to.deep.equal({ seq: target, target, leftMs: 0 });
  });

  it('far behind the journal go on from where they are in the transactions of a fill: 100,000 events took 8 s', async () => {
    const { connectionString, db } = database;
    const simulated = await grown(100);
    await fillWhereEmpty(db, { connectionString, journal: simulated.journal });
    const reached = async (fillBehind?: number): Promise<readonly number[]> => {
      const [stopping, progress, seqs] = [new AbortController(), new Progress(), [] as number[]];
      const onProgress = ({ seq }: { readonly seq: number }): void => {
        seqs.push(seq);
        progress.set(seq);
      };
      const options = { journal: simulated.journal, db, batchSize: 20, fillBehind, onProgress };
      const projecting = runProjector(options, stopping.signal);
      expect(await progress.reached(simulated.head.seq, 10_000)).to.equal(true);
      stopping.abort();
      await projecting;
      return seqs;
    };
    expect((await reached()).length).to.be.greaterThan(2);
    const before = simulated.head.seq;
    await simulated.run(200);
    // One transaction from the checkpoint to the head, since both are shorter than a fill's.
    expect(await reached(100)).to.deep.equal([before, simulated.head.seq]);
    const schema = (await activeSchema(db)) ?? '';
    expect(await dumpSchema(db, schema)).to.deep.equal(await dumpSchema(db, await database.filled(simulated)));
  });

  const fillingOf = async (db: ReadDatabase['db']): Promise<string | null> => {
    const { rows } = await sql<{ schema: string }>`
      select schema from read_models.versions where status = 'filling'`.execute(db);
    return rows[0]?.schema ?? null;
  };
});

/** What the promise resolves to, or its error. */
function caughtOr(promise: Promise<unknown>): Promise<unknown> {
  return promise.catch((error: unknown) => error);
}
