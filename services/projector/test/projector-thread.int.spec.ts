import type { Worker } from 'node:worker_threads';
import { createPostgresJournal } from '@paper/journal';
import type { RelayingJournal } from '@paper/journal';
import { createLogger, createMetrics } from '@paper/service-kit';
import { eventually, SimulatedJournal, testDatabase } from '@paper/testkit';
import type { TestDatabase } from '@paper/testkit';
import { connectReadModels } from '@paper/read-models';
import type { ReadDb } from '@paper/read-models';
import { expect } from 'chai';
import { sql } from 'kysely';
import { ProjectorThread } from '../src/index.ts';

describe('a projector on a thread of its own', function () {
  this.timeout(60_000);
  let database: TestDatabase;
  let admin: ReadDb;
  let journal: RelayingJournal;
  let simulated: SimulatedJournal;
  let projector: ProjectorThread;
  const threads: Worker[] = [];
  const noteThread = (worker: Worker): void => void threads.push(worker);
  const metrics = createMetrics();

  before(async () => {
    database = await testDatabase();
    const { connectionString } = database;
    admin = connectReadModels({ connectionString, maxConnections: 1 });
    journal = await createPostgresJournal({ connectionString });
    simulated = new SimulatedJournal({ seed: 3 }, journal);
    process.on('worker', noteThread);
    const log = { name: 'test', level: 'silent' } as const;
    const logger = createLogger(log);
    // Longer than any test: only reads end the gathering.
    projector = new ProjectorThread({
      connectionString,
      gatherMs: 600_000,
      journal,
      log,
      logger,
      metrics,
      shard: 'main',
    });
    await simulated.run(50);
    await projector.start();
  });
  after(async () => {
    process.off('worker', noteThread);
    await projector.stop();
    await journal.close();
    await admin.destroy();
    await database.close();
  });

  const checkpoint = async (): Promise<number> => {
    const { schema } = projector.status();
    const { rows } = await sql<{ seq: number }>`select seq from ${sql.id(schema ?? '', 'checkpoint')}`.execute(admin);
    return rows[0]?.seq ?? 0;
  };
  /** Appends so many more commands, and waits until they are projected, as a read does. */
  const project = async (commands: number): Promise<number> => {
    await simulated.run(commands);
    const { seq } = simulated.head;
    expect(await projector.progress.reached(seq, 20_000)).to.equal(true);
    return seq;
  };
  const readiness = (): Promise<string> =>
    projector.readiness.check().then(
      () => 'ready',
      (error: unknown) => String(error),
    );

  it('reports what it has committed, and begins at once where a read waits', async () => {
    for (let n = 0; n < 5; n += 1) {
      const seq = await project(20);
      expect(await checkpoint()).to.be.at.least(seq);
    }
    expect(await readiness()).to.equal('ready');
    expect((await projector.lag()).lagEvents).to.equal(0);
    const { text } = await metrics.expose();
    expect(text).to.include(`paper_projection_seq{projection="main"} ${simulated.head.seq}`);
  });

  it('reports no sequence that it cannot commit', async () => {
    const { schema } = projector.status();
    const before = await checkpoint();
    let isReached = false;
    let reached: Promise<void> = Promise.resolve();
    await admin.transaction().execute(async (trx) => {
      await sql`select from ${sql.id(schema ?? '', 'checkpoint')} for update`.execute(trx);
      await simulated.run(20);
      const { seq } = simulated.head;
      reached = projector.progress.reached(seq, 20_000).then((is) => void (isReached = is));
      // The projector's transaction waits for this one.
      await eventually('the projector waits', async () => {
        const { rows } = await sql`select from pg_locks where not granted`.execute(trx);
        return rows.length > 0;
      });
      expect([isReached, projector.status().checkpoint.seq]).to.deep.equal([false, before]);
    });
    await reached;
    expect(isReached).to.equal(true);
    expect(await checkpoint()).to.equal(simulated.head.seq);
  });

  it('is not ready after its thread has ended, and continues with another one', async () => {
    const before = threads.length;
    const ended = threads.at(-1)?.terminate();
    const isRed = async (): Promise<boolean> => (await readiness()).includes('retrying: its thread has ended');
    await eventually('it is not ready', isRed, { everyMs: 1 });
    await ended;
    await simulated.run(20);
    const { seq } = simulated.head;
    expect(await projector.progress.reached(seq, 20_000)).to.equal(true);
    expect(threads.length).to.equal(before + 1);
    expect(await checkpoint()).to.equal(seq);
    expect(await readiness()).to.equal('ready');
    const later = await project(50);
    expect(await checkpoint()).to.equal(later);
  });
});
