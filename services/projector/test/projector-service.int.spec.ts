import { setTimeout as sleep } from 'node:timers/promises';
import { createPostgresJournal } from '@paper/journal';
import type { Journal } from '@paper/journal';
import { activeSchema, connectReadModels, prepareReadModels } from '@paper/read-models';
import type { ReadDb } from '@paper/read-models';
import { createLease, createLeaseStore, createLogger, createMetrics, freePort } from '@paper/runtime';
import type { LeaseStore } from '@paper/runtime';
import { eventually, testDatabase, SimulatedJournal } from '@paper/testkit';
import type { TestDatabase } from '@paper/testkit';
import { expect } from 'chai';
import { sql } from 'kysely';
import { ProjectorService } from '../src/index.ts';
import type { ProjectorServiceOptions } from '../src/index.ts';

/**
 * A journal, and a function that appends the decisions of this many more commands of a seeded workload and gives the
 * new head.
 */
function growingJournal(): { journal: Journal; grow: (commands: number) => Promise<number> } {
  const simulated = new SimulatedJournal({ seed: 2 });
  return {
    journal: simulated.journal,
    async grow(commands) {
      await simulated.run(commands);
      return simulated.head.seq;
    },
  };
}

/** A digest of each table of the active schema, without row versions and the like. */
async function contents(db: ReadDb): Promise<Record<string, string | null>> {
  const schema = await activeSchema(db);
  const tables = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = ${schema} order by 1`.execute(db);
  const digests = tables.rows.map(async ({ name }) => {
    const { rows } = await sql<{ digest: string | null }>`
      select md5(string_agg(row::text, ' ' order by row::text)) as digest
      from ${sql.id(schema ?? '', name)} row`.execute(db);
    return [name, rows[0]?.digest ?? null] as const;
  });
  return Object.fromEntries(await Promise.all(digests));
}

describe('projector service', function () {
  this.timeout(30_000);
  let database: TestDatabase;
  let admin: ReadDb;
  const services: ProjectorService[] = [];

  const logger = createLogger({ name: 'test', level: 'silent' });
  const service = (
    journal: Journal,
    connectionString = database.connectionString,
    more: Partial<Pick<ProjectorServiceOptions, 'companion' | 'fillFrom' | 'lease' | 'logger'>> = {},
  ) => {
    const metrics = createMetrics();
    const made = new ProjectorService({ journal, connectionString, logger, metrics, ...more });
    services.push(made);
    return Object.assign(made, { metrics });
  };
  /** The tables that a single projector makes from the journal up to `seq`, in a database of its own. */
  const expected = async (journal: Journal, seq: number): Promise<Record<string, string | null>> => {
    const other = await testDatabase();
    const db = connectReadModels({ connectionString: other.connectionString, maxConnections: 1 });
    const only = new ProjectorService({
      journal,
      connectionString: other.connectionString,
      logger,
      metrics: createMetrics(),
    });
    try {
      await only.start();
      expect(await only.progress.reached(seq, 10_000)).to.equal(true);
      return await contents(db);
    } finally {
      await only.stop();
      await db.destroy();
      await other.close();
    }
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

  it('follows the journal, reports its progress, and continues after a restart', async () => {
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

  describe('filling on a thread', () => {
    let journal: Journal;
    let head = 0;
    beforeEach(async () => {
      journal = await createPostgresJournal({ connectionString: database.connectionString });
      const simulated = new SimulatedJournal({ seed: 3 }, journal);
      await simulated.run(1_500);
      head = simulated.head.seq;
    });
    afterEach(() => journal.close());

    it('makes the same rows, and tells how far it is', async () => {
      const lines: string[] = [];
      const one = service(journal, database.connectionString, {
        fillFrom: { databaseUrl: database.connectionString },
        logger: createLogger({ name: 'test', level: 'info' }, { write: (line: string) => void lines.push(line) }),
      });
      const filled = one.filled.then(() => contents(admin));
      await one.start();
      expect(await one.progress.reached(head, 0)).to.equal(true);
      expect(lines.join('')).to.include('filling the read models');
      expect(await contents(admin)).to.deep.equal(await expected(journal, head));
      expect(await filled, 'the rows when the fill had ended').to.deep.equal(await contents(admin));
    });

    it('tries again while the journal cannot be opened, and ends when it is stopped', async () => {
      const nowhere = `postgres://nobody@127.0.0.1:${await freePort()}/none`;
      const one = service(journal, database.connectionString, { fillFrom: { databaseUrl: nowhere } });
      const started = one.start().catch(String);
      await eventually('it tries again', () => one.status().state === 'retrying');
      expect(one.status().error).to.include('ECONNREFUSED');
      await one.stop();
      expect(await started).to.include('stopped');
    });

    it('stops for good at what it cannot apply, with the stack of the thread in the log', async () => {
      await sql`alter table journal.events disable trigger user`.execute(admin);
      await sql`delete from journal.events where seq = 700`.execute(admin);
      const lines: string[] = [];
      const one = service(journal, database.connectionString, {
        fillFrom: { databaseUrl: database.connectionString },
        logger: createLogger({ name: 'test', level: 'fatal' }, { write: (line: string) => void lines.push(line) }),
      });
      expect(await one.start().catch(String)).to.include('sequence 701');
      expect(one.status().state).to.equal('failed');
      const [line = '{}'] = lines;
      const { err } = JSON.parse(line) as { readonly err: { readonly stack: string } };
      expect(err.stack).to.match(/sequence 701[^]*read-models/);
    });

    it('is ended by a stop in its midst, and continued by the next start', async () => {
      const fillFrom = { databaseUrl: database.connectionString };
      const first = service(journal, database.connectionString, { fillFrom });
      const other = connectReadModels({ connectionString: database.connectionString, maxConnections: 1 });
      await other.transaction().execute(async (trx) => {
        // Blocks the thread, which takes this lock before it fills.
        await sql`select pg_advisory_xact_lock(hashtext('paper read models rebuild, alongside'))`.execute(trx);
        const started = first.start().catch(String);
        let isOver = false;
        const over = first.filled.then(() => (isOver = true));
        // Not in that transaction, which would see the same activity for ever.
        const waiting = sql<{ pid: number }>`select pid from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`;
        await eventually('it waits for the lock', async () => (await waiting.execute(admin)).rows.length > 0);
        expect(isOver, 'what waits for the fill goes on').to.equal(false);
        await first.stop();
        expect(await started).to.include('stopped');
        await over;
      });
      await other.destroy();
      const second = service(journal, database.connectionString, { fillFrom });
      await second.start();
      expect(await second.progress.reached(head, 0)).to.equal(true);
      expect(await contents(admin)).to.deep.equal(await expected(journal, head));
    });
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

  it('reads the checkpoint again when an idle connection ends, since a crash may have lost the last commits', async () => {
    const { journal, grow } = growingJournal();
    const lines: string[] = [];
    const one = service(journal, database.connectionString, {
      logger: createLogger({ name: 'test', level: 'info' }, { write: (line: string) => void lines.push(line) }),
    });
    await one.start();
    const seq = await grow(100);
    expect(await one.progress.reached(seq, 10_000)).to.equal(true);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(admin);
    // Nothing is appended, so only the end of the connection can tell the projector.
    const opened = (): number => lines.filter((line) => line.includes('following the journal')).length;
    await eventually('it follows the journal again', () => opened() === 2);
    expect(await one.progress.reached(seq, 10_000)).to.equal(true);
    expect(one.status()).to.include({ state: 'running', error: null });
  });

  it('no longer relies on its last commits once a connection breaks in the middle of a batch', async () => {
    const { journal, grow } = growingJournal();
    const one = service(journal);
    await one.start();
    const seq = await grow(100);
    expect(await one.progress.reached(seq, 10_000)).to.equal(true);
    const { schema } = one.status();
    await admin.transaction().execute(async (trx) => {
      // Blocks the projector in its next batch.
      await sql`lock table ${sql.id(schema ?? '', 'checkpoint')} in exclusive mode`.execute(trx);
      // Of a single command there may be no event.
      await grow(20);
      const waiting = sql<{ pid: number }>`select pid from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      await eventually('it waits for the lock', async () => (await waiting.execute(trx)).rows.length > 0);
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(trx);
      // Blocks its read of the checkpoint, as while the server recovers.
      await sql`lock table ${sql.id(schema ?? '', 'checkpoint')} in access exclusive mode`.execute(trx);
      await eventually('it runs no longer', () => one.status().state !== 'running');
      expect(await one.progress.reached(seq, 0)).to.equal(false);
    });
    expect(await one.progress.reached(seq + 1, 10_000)).to.equal(true);
  });

  it('waits for a database that is not there yet', async () => {
    const { journal, grow } = growingJournal();
    const seq = await grow(50);
    // Locks the first table that it reads, as while the server starts; then the connections break.
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

  it('waits for a journal that does not answer when it opens, in whatever words that says so', async () => {
    const { journal, grow } = growingJournal();
    const seq = await grow(50);
    const first = service(journal);
    await first.start();
    await first.progress.reached(seq, 10_000);
    await first.stop();
    let away = true;
    // The error as gRPC reports it.
    const unavailable = Object.assign(new Error('14 UNAVAILABLE: No connection established'), { code: 14 });
    const second = service({
      ...journal,
      head: () => (away ? Promise.reject(unavailable) : journal.head()),
      read: (from, limit) => (away ? Promise.reject(unavailable) : journal.read(from, limit)),
    });
    const opened = second.start();
    await Promise.race([opened, eventually('it tries again', () => second.status().state === 'retrying')]);
    expect(second.status().error).to.include('No connection established');
    away = false;
    await opened;
    expect(await second.progress.reached(await grow(10), 10_000)).to.equal(true);
  });

  it('stops for good at what it cannot apply, and says why', async () => {
    const { journal, grow } = growingJournal();
    const seq = await grow(100);
    await prepareReadModels(admin);
    const one = service({ ...journal, follow: (from, options) => journal.follow(from + 1, options) });
    // It may run for a moment before it reaches that event.
    await one.start().catch((reason: unknown) => expect(reason).to.be.an('error'));
    await eventually('it runs no longer', () => one.status().state !== 'running');
    expect(one.status()).to.include({ state: 'failed' });
    expect(one.status().error).to.match(/^sequence \d+ (begins no decision|where 1 should be)/);
    expect(await one.readiness.check().catch((reason: unknown) => String(reason))).to.match(
      /projector failed: sequence/,
    );
    expect(one.status().checkpoint.seq).to.equal(0);
    expect((await one.lag()).lagEvents).to.equal(seq);
  });

  it('never writes a batch twice where two run without a lease: the checkpoint fences', async () => {
    const { journal, grow } = growingJournal();
    const pair = [service(journal), service(journal)];
    await Promise.all(pair.map((one) => one.start()));
    let seq = 0;
    const fenced = (): boolean => pair.some((one) => one.status().state === 'failed');
    for (let round = 0; round < 50 && !fenced(); round += 1) {
      seq = await grow(20);
      await Promise.race(pair.map((one) => one.progress.reached(seq, 10_000)));
    }
    const states = (): string => pair.map((one) => one.status().state).join();
    await eventually('one is fenced', fenced);
    expect(states()).to.match(/^(running,failed|failed,running)$/);
    seq = await grow(100);
    const [winner] = pair.filter((one) => one.status().state === 'running');
    expect(await winner?.progress.reached(seq, 10_000)).to.equal(true);
    expect(await contents(admin)).to.deep.equal(await expected(journal, seq));
  });

  describe('with a lease', () => {
    const stores: LeaseStore[] = [];
    afterEach(async () => {
      for (const store of stores.splice(0)) await store.close();
    });

    /** A projector with a lease, and whether its companion runs. */
    const contender = (journal: Journal, address: string) => {
      const store = createLeaseStore({ connectionString: database.connectionString });
      stores.push(store);
      const lease = createLease({
        address: () => address,
        logger,
        metrics: createMetrics(),
        name: 'projector:main',
        store,
      });
      let accompanied = false;
      const companion = {
        start: () => void (accompanied = true),
        stop: () => {
          accompanied = false;
          return Promise.resolve();
        },
      };
      const one = service(journal, database.connectionString, { companion, lease });
      return Object.assign(one, { accompanied: () => accompanied });
    };
    const standingBy = (one: ProjectorService): Promise<void> =>
      eventually('it stands by', () => one.status().state === 'standby');

    it('stands by while another projects, is healthy without metrics of the projection, and continues where that one stopped', async () => {
      const { journal, grow } = growingJournal();
      const seq = await grow(100);
      const [first, second] = [contender(journal, 'first'), contender(journal, 'second')];
      await first.start();
      expect(await first.progress.reached(seq, 10_000)).to.equal(true);
      expect(first.accompanied()).to.equal(true);
      const started = second.start();
      await standingBy(second);
      await second.readiness.check();
      const { text } = await second.metrics.expose();
      expect(text).to.not.match(/^paper_projection_(up|seq|lag_events|lag_seconds)\{/m);
      expect(second.accompanied()).to.equal(false);
      await first.stop();
      expect(first.accompanied()).to.equal(false);
      await started;
      const later = await grow(100);
      expect(await second.progress.reached(later, 10_000)).to.equal(true);
      expect(second.accompanied()).to.equal(true);
      expect(await contents(admin)).to.deep.equal(await expected(journal, later));
    });

    it('stands by again when another has taken its lease, and projects again when that one is gone', async () => {
      const { journal, grow } = growingJournal();
      const one = contender(journal, 'one');
      await one.start();
      expect(await one.progress.reached(await grow(50), 10_000)).to.equal(true);
      await sql`update coordination.leases set holder = 'thief', term = term + 1,
        expires_at = clock_timestamp() + interval '1 hour'`.execute(admin);
      await standingBy(one);
      expect(one.accompanied()).to.equal(false);
      const seq = await grow(50);
      await sql`update coordination.leases set expires_at = clock_timestamp()`.execute(admin);
      expect(await one.progress.reached(seq, 10_000)).to.equal(true);
      expect(one.accompanied()).to.equal(true);
      expect(await contents(admin)).to.deep.equal(await expected(journal, seq));
    });

    it('releases its lease where it does not reach the journal, and another projector continues', async () => {
      const { journal, grow } = growingJournal();
      let reaches = true;
      const away = <T>(answer: () => Promise<T>): Promise<T> =>
        reaches ? answer() : Promise.reject(new Error('connection terminated'));
      const cut: Journal = {
        ...journal,
        head: () => away(() => journal.head()),
        read: (from, limit) => away(() => journal.read(from, limit)),
        async *follow(from, options) {
          for await (const page of journal.follow(from, options)) {
            // A journal that has lost its connection and waits for it: it gives nothing.
            while (!reaches && !options.signal.aborted) await sleep(20);
            if (options.signal.aborted) return;
            yield page;
          }
        },
      };
      const [first, second] = [contender(cut, 'first'), contender(journal, 'second')];
      await first.start();
      const started = second.start();
      await standingBy(second);
      expect(await first.progress.reached(await grow(50), 10_000)).to.equal(true);
      reaches = false;
      const seq = await grow(50);
      await started;
      expect(await second.progress.reached(seq, 10_000)).to.equal(true);
      await standingBy(first);
      expect(first.accompanied()).to.equal(false);
      expect(await contents(admin)).to.deep.equal(await expected(journal, seq));
    });

    it('goes on from the checkpoint where one without a lease has moved it', async () => {
      const { journal, grow } = growingJournal();
      let gate = Promise.resolve();
      const late: Journal = {
        ...journal,
        async *follow(from, options) {
          for await (const page of journal.follow(from, options)) {
            await gate;
            yield page;
          }
        },
      };
      const [elected, stray] = [contender(journal, 'elected'), service(late)];
      await Promise.all([elected.start(), stray.start()]);
      for (let round = 0; round < 3; round += 1) {
        expect(await elected.progress.reached(await grow(20), 10_000)).to.equal(true);
      }
      let open = (): void => undefined;
      gate = new Promise((resolve) => (open = resolve));
      const seq = await grow(20);
      expect(await elected.progress.reached(seq, 10_000)).to.equal(true);
      open();
      await eventually('it runs no longer', () => stray.status().state !== 'running');
      expect(stray.status().error).to.include('another projector has moved it');
      expect(await contents(admin)).to.deep.equal(await expected(journal, seq));
    });
  });
});
