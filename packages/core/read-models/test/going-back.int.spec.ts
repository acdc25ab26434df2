import { eventually, SimulatedJournal } from '@paper/testkit';
import { expect } from 'chai';
import { sql } from 'kysely';
import { SchemaRetired } from '../src/engine/faults.ts';
import { Progress } from '../src/serving/progress.ts';
import { runProjector } from '../src/projection/projector.ts';
import type { ProjectorOptions } from '../src/projection/projector.ts';
import { ReadModels } from '../src/serving/read-models.ts';
import { abortRebuild, dropFormerSchemas } from '../src/rebuild/clear.ts';
import { rebuild } from '../src/rebuild/rebuild.ts';
import type { RebuildOptions } from '../src/rebuild/rebuild.ts';
import { RebuildRefused } from '../src/rebuild/rebuild-lock.ts';
import { returnToFormer } from '../src/rebuild/return-to-former.ts';
import { rebuildStatus } from '../src/rebuild/status.ts';
import { RebuildAborted } from '../src/rebuild/swap.ts';
import { activeSchema, projectedSchemas } from '../src/projection/registry.ts';
import { caught } from './caught.ts';
import { dumpSchema, readDatabase } from './read-database.ts';
import type { ReadDatabase } from './read-database.ts';

describe('after a rebuild', function () {
  this.timeout(30_000);
  let database: ReadDatabase;
  let simulated: SimulatedJournal;
  let stopping: AbortController;
  let progress: Progress;
  let projecting: Promise<void>;

  const start = (options: Partial<ProjectorOptions> = {}): void => {
    stopping = new AbortController();
    progress = new Progress();
    projecting = runProjector(
      { journal: simulated.journal, db: database.db, onProgress: ({ seq }) => progress.set(seq), ...options },
      stopping.signal,
    );
  };
  const stop = async (): Promise<void> => {
    stopping.abort();
    await projecting;
  };
  const rebuildNow = (options: Partial<RebuildOptions> = {}) =>
    rebuild({ journal: simulated.journal, connectionString: database.connectionString, ...options });
  const back = () => returnToFormer({ journal: simulated.journal, connectionString: database.connectionString });
  const seqOf = async (schema: string | null): Promise<number> => {
    const rows = await database.db
      .withSchema(schema ?? '')
      .selectFrom('checkpoint')
      .select('seq')
      .executeTakeFirst();
    return rows?.seq ?? -1;
  };
  /** All tables equal a fold of the journal that nothing has happened to; but for which of them serves. */
  const expectEqualsFold = async (schema: string | null): Promise<void> => {
    const { checkpoint, ...tables } = await dumpSchema(database.db, schema ?? '');
    const { checkpoint: folded, ...expected } = await dumpSchema(database.db, await database.filled(simulated));
    expect(tables).to.deep.equal(expected);
    expect(checkpoint).to.deep.equal(
      folded?.map((row) => ({ ...(row as object), retired: (checkpoint?.[0] as { retired: boolean }).retired })),
    );
    await abortRebuild(database.connectionString);
  };
  const schemas = async () => (await rebuildStatus(database.connectionString)).schemas;

  beforeEach(async function () {
    this.timeout(60_000);
    database = await readDatabase();
    simulated = new SimulatedJournal({ seed: 12 });
    await simulated.run(150);
    start();
    expect(await progress.reached(simulated.head.seq, 10_000)).to.equal(true);
  });
  afterEach(async () => {
    await stop();
    await database.close();
  });

  it('the former schema is projected as well, and serves again at once: its rows are a fold of all events', async () => {
    const { former, schema } = await rebuildNow();
    await simulated.run(150);
    const seq = simulated.head.seq;
    await eventually('the former schema has it too', async () => (await seqOf(former)) === seq);
    expect(await back()).to.deep.equal({ schema: former, former: schema, seq });
    expect(await activeSchema(database.db)).to.equal(former);
    await expectEqualsFold(former);

    await simulated.run(50);
    expect(await progress.reached(simulated.head.seq, 10_000)).to.equal(true);
    await eventually('the other schema has it too', async () => (await seqOf(schema)) === simulated.head.seq);
    expect(await seqOf(former)).to.equal(simulated.head.seq);
    await expectEqualsFold(schema);
  });

  it('goes to and fro while events come, and readers read: none sees an error, or less than it has seen', async () => {
    await rebuildNow();
    const readModels = new ReadModels(database.db);
    const stop = new AbortController();
    const reader = (async () => {
      for (let seen = 0; !stop.signal.aborted;) {
        const seq = await readModels.read((view) => Promise.resolve(view.seq));
        expect(seq).to.be.at.least(seen);
        seen = seq;
      }
    })();
    for (let round = 0; round < 6; round += 1) await Promise.all([simulated.run(20), back()]);
    const { seq } = simulated.head;
    await simulated.run(5);
    expect(await progress.reached(simulated.head.seq, 10_000)).to.equal(true);
    stop.abort();
    await reader;
    expect(simulated.head.seq).to.be.greaterThan(seq);
    await expectEqualsFold(await activeSchema(database.db));
  });

  it('without a projector, going back projects what is missing first', async () => {
    const { former } = await rebuildNow();
    await stop();
    await simulated.run(100);
    expect(await back()).to.include({ schema: former, seq: simulated.head.seq });
    await expectEqualsFold(former);
    start();
  });

  it('a former schema that cannot be projected is reported and left, and the active one goes on', async () => {
    const { former, schema } = await rebuildNow();
    await stop();
    const faults: unknown[] = [];
    // As one that was folded wrongly.
    await sql`delete from ${sql.id(former ?? '', 'accounts')}`.execute(database.db);
    start({ onFormerFault: (error, of) => faults.push([of, String(error)]) });
    await simulated.run(100);
    expect(await progress.reached(simulated.head.seq, 10_000)).to.equal(true);
    await eventually('the fault is reported', () => faults.length > 0);
    expect(faults).to.have.length(1);
    expect(faults[0]).to.have.property('0', former);
    expect(String(faults[0])).to.match(/ProjectionFault: .* rows of fills should change/);
    await expectEqualsFold(schema);
  });

  it('a fault of what serves ends the projector, though the former schema could go on', async () => {
    const { schema } = await rebuildNow();
    await stop();
    await sql`alter table ${sql.id(schema, 'book_levels')} rename to book_levels_away`.execute(database.db);
    const { signal } = new AbortController();
    const error = await caught(runProjector({ journal: simulated.journal, db: database.db }, signal));
    expect(error).to.be.instanceOf(SchemaRetired);
  });

  it('--retire drops what served before, and then nothing is there to go back to', async () => {
    const { former, schema } = await rebuildNow();
    expect((await schemas()).map(({ status }) => status)).to.deep.equal(['active', 'former']);
    expect(await dropFormerSchemas(database.connectionString)).to.deep.equal([former]);
    expect((await schemas()).map((one) => [one.schema, one.status])).to.deep.equal([[schema, 'active']]);
    expect(await dropFormerSchemas(database.connectionString)).to.deep.equal([]);
    expect(await caught(back())).to.be.instanceOf(RebuildRefused);
    await simulated.run(20);
    expect(await progress.reached(simulated.head.seq, 10_000)).to.equal(true);
    await expectEqualsFold(schema);
  });

  it('the next rebuild takes the place of the former one', async () => {
    const first = await rebuildNow();
    const second = await rebuildNow();
    expect(second.former).to.equal(first.schema);
    expect((await schemas()).map(({ schema }) => schema)).to.deep.equal([second.schema, first.schema]);
  });

  it('--abort ends a rebuild that is at work, and throws away what it had filled', async () => {
    const before = await projectedSchemas(database.db);
    const aborting: Promise<readonly string[]>[] = [];
    const error = await caught(
      rebuildNow({
        batchSize: 20,
        onProgress: () => {
          if (aborting.length === 0) aborting.push(abortRebuild(database.connectionString));
        },
        // It reads on only when what it fills is gone.
        journal: {
          ...simulated.journal,
          read: async (from, limit) => {
            await aborting[0];
            return simulated.journal.read(from, limit);
          },
        },
      }),
    );
    expect(error).to.be.instanceOf(RebuildAborted);
    expect(await aborting[0]).to.have.length(1);
    expect(await projectedSchemas(database.db)).to.deep.equal(before);
    expect(await abortRebuild(database.connectionString)).to.deep.equal([]);
    expect(await schemas()).to.have.length(1);
  });

  it('--status tells what there is, how far it is, and whether a rebuild is at work', async () => {
    const { seq } = simulated.head;
    const seen: unknown[] = [];
    await rebuildNow({
      batchSize: 20,
      journal: {
        ...simulated.journal,
        async read(from, limit) {
          if (from > 1 && limit > 1 && seen.length === 0) seen.push(await rebuildStatus(database.connectionString));
          return simulated.journal.read(from, limit);
        },
      },
    });
    expect(seen[0]).to.have.property('running', true);
    const [active, filling] = (seen[0] as Awaited<ReturnType<typeof rebuildStatus>>).schemas;
    expect(active).to.include({ status: 'active', seq });
    expect(filling).to.have.property('status', 'filling');
    expect(filling?.seq).to.be.within(0, seq - 1);
    const after = await rebuildStatus(database.connectionString);
    expect(after.running).to.equal(false);
    expect(after.schemas.map((one) => [one.status, one.seq])).to.deep.equal([
      ['active', seq],
      ['former', seq],
    ]);
    expect(after.schemas[0]?.bytes).to.be.greaterThan(0);
  });
});
