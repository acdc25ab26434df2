import { createState, decide, evolve } from '@paper/exchange';
import { createMemoryJournal, EMPTY_HEAD, encodeDecision, type Journal } from '@paper/journal';
import { connectReadModels, prepareReadModels, type ReadDb } from '@paper/read-models';
import { createLogger, createMetrics } from '@paper/service-kit';
import { createWorkload, testDatabase, type TestDatabase } from '@paper/testkit';
import { expect } from 'chai';
import { sql } from 'kysely';
import { createProjectorService, type ProjectorService } from '../src/index.ts';

/** A journal, and a function that appends what this many more commands of a seeded workload decide; it gives the head. */
function growingJournal(): { journal: Journal; grow: (commands: number) => Promise<number> } {
  const journal = createMemoryJournal();
  const state = createState();
  const workload = createWorkload({ seed: 2 });
  let head = EMPTY_HEAD;
  return {
    journal,
    async grow(commands) {
      for (let i = 0; i < commands; i += 1) {
        const command = workload.next();
        const decision = decide(state, command);
        workload.observe(command, decision);
        if (decision.kind !== 'accepted') continue;
        const encoded = encodeDecision({ command, events: decision.events, head, salt: '00'.repeat(16) });
        await journal.append(head, encoded.stored);
        for (const [index, event] of decision.events.entries()) evolve(state, event, index === 0 ? command : null);
        head = encoded.head;
      }
      return head.seq;
    },
  };
}

describe('projector service', function () {
  this.timeout(30_000);
  let database: TestDatabase;
  let admin: ReadDb;
  const services: ProjectorService[] = [];

  const service = (journal: Journal, connectionString = database.connectionString) => {
    const metrics = createMetrics();
    const logger = createLogger({ name: 'test', level: 'silent' });
    const made = createProjectorService({ journal, connectionString, logger, metrics });
    services.push(made);
    return { ...made, metrics };
  };

  beforeEach(async () => {
    database = await testDatabase();
    admin = connectReadModels({ connectionString: database.connectionString, maxConnections: 1 });
  });
  afterEach(async () => {
    await Promise.all(services.splice(0).map((one) => one.stop()));
    await admin.destroy();
    await database.close();
  });

  it('follows the journal, tells how far it is, and goes on after a restart', async () => {
    const { journal, grow } = growingJournal();
    const seq = await grow(200);
    const first = service(journal);
    await first.start();
    expect(await first.progress.reached(seq, 10_000)).to.equal(true);
    await first.readiness.check();
    expect(await first.lag()).to.deep.equal({ name: 'main', seq, lagEvents: 0, lagMs: 0 });
    const { text } = await first.metrics.expose();
    expect(text).to.include(`paper_projection_seq{projection="main"} ${seq}`);
    expect(text).to.include('paper_projection_lag_events{projection="main"} 0');
    expect(text).to.include(`paper_projection_events_total{projection="main"} ${seq}`);
    await first.stop();
    expect(first.status().state).to.equal('stopped');

    const later = await grow(50);
    const second = service(journal);
    expect((await second.lag()).lagEvents).to.equal(later);
    await second.start();
    expect(await second.progress.reached(later, 10_000)).to.equal(true);
  });

  it('outlives the loss of its connection', async () => {
    const { journal, grow } = growingJournal();
    const one = service(journal);
    await one.start();
    expect(await one.progress.reached(await grow(100), 10_000)).to.equal(true);
    for (let round = 0; round < 3; round += 1) {
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`.execute(admin);
      expect(await one.progress.reached(await grow(100), 10_000)).to.equal(true);
    }
    expect(one.status()).to.include({ state: 'running', error: null });
  });

  it('waits for a database that is not there yet', async () => {
    const { journal, grow } = growingJournal();
    const seq = await grow(50);
    // What it needs first is locked, as while the server starts; then the connections break.
    const blocked = connectReadModels({ connectionString: database.connectionString, maxConnections: 1 });
    const one = service(journal);
    await blocked.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(hashtext('paper read models registry'))`.execute(trx);
      const started = one.start();
      while (one.status().state !== 'retrying') {
        await sql`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(admin);
      }
      expect(await one.readiness.check().catch((error: unknown) => String(error))).to.match(/projector retrying: /);
      void started;
    });
    await blocked.destroy();
    expect(await one.progress.reached(seq, 10_000)).to.equal(true);
  });

  it('stops for good at what it cannot apply, and says why', async () => {
    const { journal, grow } = growingJournal();
    const seq = await grow(100);
    await prepareReadModels(admin);
    const one = service({ ...journal, follow: (from, options) => journal.follow(from + 1, options) });
    const error: unknown = await one
      .start()
      .then(() => one.progress.reached(seq, 50))
      .catch((reason: unknown) => reason);
    expect(error === false || error instanceof Error).to.equal(true);
    expect(one.status()).to.include({ state: 'failed' });
    expect(one.status().error).to.match(/^sequence \d+ (begins no decision|where 1 should be)/);
    expect(await one.readiness.check().catch((reason: unknown) => String(reason))).to.match(
      /projector failed: sequence/,
    );
    expect(one.status().checkpoint.seq).to.equal(0);
    expect((await one.lag()).lagEvents).to.equal(seq);
  });
});
