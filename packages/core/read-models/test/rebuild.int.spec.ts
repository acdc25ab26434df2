import { SimulatedJournal } from '@paper/testkit';
import { EventEmitter, once } from 'node:events';
import { expect } from 'chai';
import { sql } from 'kysely';
import { InvariantBroken } from '../src/rebuild/invariants.ts';
import { Projection } from '../src/projection/projection.ts';
import { catchUp, runProjector } from '../src/projection/projector.ts';
import { Progress } from '../src/serving/progress.ts';
import { ReadModels } from '../src/serving/read-models.ts';
import { abortRebuild } from '../src/rebuild/clear.ts';
import { RebuildRunning } from '../src/rebuild/rebuild-lock.ts';
import { rebuild } from '../src/rebuild/rebuild.ts';
import { activeSchema, registerSchema } from '../src/projection/registry.ts';
import { caught } from './caught.ts';
import { dumpSchema, useReadDatabase } from './read-database.ts';

describe('rebuild', function () {
  this.timeout(30_000);
  const database = useReadDatabase();
  // Otherwise a rebuild would resume filling a schema that an earlier test filled for comparison.
  beforeEach(() => abortRebuild(database().connectionString));

  it('refills beside a projector at work and readers, who all go over to the new schema', async () => {
    const { db, connectionString } = database();
    const simulated = new SimulatedJournal({ byPrimaries: true, seed: 5 });
    await simulated.run(500);
    const before = await activeSchema(db);
    const stopping = new AbortController();
    const progress = new Progress();
    const projector = runProjector(
      { journal: simulated.journal, db, onProgress: ({ seq }) => progress.set(seq) },
      stopping.signal,
    );
    expect(await progress.reached(simulated.head.seq, 10_000)).to.equal(true);

    // Readers read all the time, and never see less than what they have seen, nor an error.
    const readModels = new ReadModels(db);
    const reading = new AbortController();
    let reads = 0;
    const reader = (async () => {
      let seen = 0;
      while (!reading.signal.aborted) {
        await readModels.read(async ({ db: view, seq }) => {
          expect(seq).to.be.at.least(seen);
          seen = seq;
          const { newest } = await view
            .selectFrom('markets')
            .select((eb) => eb.fn.max('seq').as('newest'))
            .executeTakeFirstOrThrow();
          const { placed } = await view
            .selectFrom('orders')
            .select((eb) => eb.fn.max('created_seq').as('placed'))
            .executeTakeFirstOrThrow();
          expect(Math.max(newest, placed)).to.be.at.most(seq);
        });
        reads += 1;
      }
    })();
    const more: Promise<void>[] = [];
    const rebuilt = await rebuild({
      journal: simulated.journal,
      connectionString,
      batchSize: 200,
      onProgress: () => {
        if (more.length === 0) more.push(simulated.run(500));
      },
    });
    await Promise.all(more);
    await simulated.run(100);
    expect(await progress.reached(simulated.head.seq, 10_000)).to.equal(true);
    reading.abort();
    await reader;
    stopping.abort();
    await projector;

    expect(reads).to.be.greaterThan(0);
    expect(rebuilt.former).to.equal(before);
    expect(await activeSchema(db)).to.equal(rebuilt.schema);
    expect(await dumpSchema(db, rebuilt.schema)).to.deep.equal(
      await dumpSchema(db, await database().filled(simulated)),
    );
    expect(await readModels.read(({ seq }) => Promise.resolve(seq))).to.equal(simulated.head.seq);
  });

  it('leaves what serves as it was when the sums do not hold', async () => {
    const { db, connectionString } = database();
    const before = await activeSchema(db);
    const simulated = new SimulatedJournal({ seed: 6 });
    await simulated.run(200);
    // Money out of nothing, while the refill is at work: its last page comes once accounts are written.
    const lastPage = simulated.head.seq - 20;
    const told = new EventEmitter();
    let writtenSeq = 0;
    const onProgress = ({ seq }: { readonly seq: number }): void => {
      writtenSeq = seq;
      told.emit('written');
    };
    const corruptBalances = async (): Promise<void> => {
      while (writtenSeq === 0) await once(told, 'written');
      const { rows } = await sql<{ schema: string }>`
        select schema from read_models.versions where status = 'filling'`.execute(db);
      const filling = rows[0]?.schema ?? '';
      const numUpdatedRows = await db.transaction().execute(async (trx) => {
        // The refill writes accounts beside this, in another order: row by row they could wait for each other.
        await sql`lock table ${sql.table(`${filling}.accounts`)} in exclusive mode`.execute(trx);
        const updated = await trx
          .withSchema(filling)
          .updateTable('accounts')
          .set((eb) => ({ cash_units: eb('cash_units', '+', 1) }))
          .executeTakeFirst();
        return updated.numUpdatedRows;
      });
      expect(Number(numUpdatedRows)).to.be.greaterThan(0);
    };
    const corrupting = {
      ...simulated.journal,
      async read(from: number, limit: number) {
        if (from > lastPage && limit > 1) await corruptBalances();
        return simulated.journal.read(from, limit);
      },
    };
    const error = await caught(rebuild({ journal: corrupting, connectionString, batchSize: 20, onProgress }));
    expect(error)
      .to.be.instanceOf(InvariantBroken)
      .with.property('message')
      .that.matches(/^money is conserved: /);
    expect(await activeSchema(db)).to.equal(before);
  });

  it('goes on with what one that was cut off has left, and runs alone', async () => {
    const { db, connectionString } = database();
    const simulated = new SimulatedJournal({ seed: 6 });
    await simulated.run(200);
    const left = await db.transaction().execute((trx) => registerSchema(trx, 'filling'));
    const half = simulated.ends[100] ?? 0;
    await catchUp(await Projection.open(db, left), simulated.journal, half);
    const other: { error: Promise<unknown> | null } = { error: null };
    const rebuilt = await rebuild({
      journal: {
        ...simulated.journal,
        async head() {
          other.error ??= caught(rebuild({ journal: simulated.journal, connectionString }));
          await other.error;
          return simulated.journal.head();
        },
      },
      connectionString,
    });
    expect(await other.error).to.be.instanceOf(RebuildRunning);
    expect(rebuilt).to.include({ schema: left, resumedAt: half });
    expect(await dumpSchema(db, left)).to.deep.equal(await dumpSchema(db, await database().filled(simulated)));
  });

  it('begins anew where what was left is of another journal, and takes over from one of another journal', async () => {
    const { db, connectionString } = database();
    const [wiped, simulated] = [new SimulatedJournal({ seed: 7 }), new SimulatedJournal({ seed: 8 })];
    await wiped.run(50);
    await simulated.run(60);
    const left = await database().filled(wiped);
    const { schema, resumedAt } = await rebuild({ journal: simulated.journal, connectionString });
    expect(schema).not.to.equal(left);
    expect(resumedAt).to.equal(0);
    expect(await dumpSchema(db, schema)).to.deep.equal(await dumpSchema(db, await database().filled(simulated)));
    const { rows } = await sql`select from pg_namespace where nspname = ${left}`.execute(db);
    expect(rows).to.deep.equal([]);
  });

  it('keeps to so many events a second', async () => {
    const { connectionString } = database();
    const simulated = new SimulatedJournal({ seed: 8 });
    await simulated.run(200);
    const seqs: number[] = [];
    await rebuild({
      journal: simulated.journal,
      connectionString,
      eventsPerSecond: 1000,
      onProgress: ({ seq }) => seqs.push(seq),
    });
    // In transactions of a twentieth of a second's events, unless a decision has more.
    const steps = [...new Set(seqs)].map((seq, index, all) => [all[index - 1] ?? 0, seq] as const);
    expect(steps.length).to.be.greaterThan(3);
    for (const [from, to] of steps) {
      const decisions = simulated.ends.filter((end) => end > from && end <= to).length;
      if (decisions > 1) expect(to - from).to.be.at.most(50);
    }
    expect(seqs.at(-1)).to.equal(simulated.head.seq);
  });
});
