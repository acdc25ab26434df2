import { eventually, testDatabase } from '@paper/testkit';
import type { TestDatabase } from '@paper/testkit';
import { expect } from 'chai';
import pg from 'pg';
import { databaseClock } from '../../src/lease/database-clock.ts';
import { createLease, LEASE_MS } from '../../src/lease/lease.ts';
import { createLeaseStore, ENDED_AFTER_MS } from '../../src/lease/lease-store.ts';
import type { LeaseStore } from '../../src/lease/lease-store.ts';
import { createLogger } from '../../src/logger.ts';
import { createMetrics } from '../../src/metrics.ts';

const claim = (holder: string, name = 'writer:main') => ({ address: `http://${holder}`, holder, name });

describe('leases in Postgres', function () {
  this.timeout(30_000);
  let database: TestDatabase;
  let admin: pg.Client;
  const opened: LeaseStore[] = [];

  const open = (): LeaseStore => {
    const store = createLeaseStore({ connectionString: database.connectionString });
    opened.push(store);
    return store;
  };
  const lease = (address: string, store: LeaseStore) =>
    createLease({
      address: () => address,
      logger: createLogger({ level: 'silent', name: 'test' }),
      metrics: createMetrics(),
      name: 'writer:main',
      store,
    });
  /** The lease runs out on the clock of the database, now. */
  const runOut = (): Promise<unknown> =>
    admin.query(`update coordination.leases set expires_at = clock_timestamp() - interval '1 microsecond'`);
  const others = 'datname = current_database() and pid <> pg_backend_pid()';

  beforeEach(async () => {
    database = await testDatabase();
    admin = new pg.Client({ connectionString: database.connectionString });
    await admin.connect();
  });
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
    await admin.end();
    await database.close();
  });

  it('gives a lease to one of many that ask at once, before its table is there and whenever it runs out', async () => {
    const stores = Array.from({ length: 8 }, open);
    for (let term = 1; term <= 5; term += 1) {
      const answers = await Promise.all(stores.map((store, n) => store.take(claim(`h${n}`), LEASE_MS)));
      const winners = answers.flatMap((answer, n) => (answer.kind === 'taken' ? [{ n, term: answer.term }] : []));
      expect(winners.map((winner) => winner.term)).to.deep.equal([term]);
      const held = { address: `http://h${winners[0]?.n}`, kind: 'held' };
      expect(answers.filter((answer) => answer.kind === 'held')).to.deep.equal(Array(7).fill(held));
      await runOut();
    }
  });

  it('keeps leases of other names apart', async () => {
    const store = open();
    const taken = { kind: 'taken', term: 1 };
    expect(await store.take(claim('a'), LEASE_MS)).to.deep.equal(taken);
    expect(await store.take(claim('b', 'projector:main'), LEASE_MS)).to.deep.equal(taken);
  });

  it('counts on the clock of the database, from each renewal on', async () => {
    const store = open();
    const left = async (): Promise<number> => {
      const { rows } = await admin.query<{ ms: number }>(
        `select (extract(epoch from expires_at - clock_timestamp()) * 1000)::float8 as ms from coordination.leases`,
      );
      return rows[0]?.ms ?? Number.NaN;
    };
    await store.take(claim('a'), 60_000);
    expect(await left()).to.be.within(30_000, 60_000);
    expect(await store.renew(claim('a'), 1, 600_000)).to.equal(true);
    expect(await left()).to.be.within(570_000, 600_000);
    await store.release(claim('a'), 1);
    expect(await left()).to.be.below(0.001);
  });

  it('is renewed only by its holder, in the term for which it was taken', async () => {
    const store = open();
    await store.take(claim('a'), LEASE_MS);
    expect(await store.renew(claim('b'), 1, LEASE_MS)).to.equal(false);
    await runOut();
    expect(await store.renew(claim('a'), 1, LEASE_MS), 'no other process has had it in between').to.equal(true);
    await runOut();
    await store.take(claim('b'), LEASE_MS);
    expect(await store.renew(claim('a'), 1, LEASE_MS)).to.equal(false);
    await store.release(claim('a'), 1);
    expect(await store.take(claim('c'), LEASE_MS), 'no process releases the lease of another').to.include({
      kind: 'held',
    });
    await store.release(claim('b'), 2);
    expect(await store.take(claim('a'), LEASE_MS)).to.deep.equal({ kind: 'taken', term: 3 });
    expect(await store.renew(claim('a'), 1, LEASE_MS)).to.equal(false);
  });

  it('gives a lease on soon after its holder has ended, and not while it is connected', async () => {
    const [first, second] = [createLeaseStore({ connectionString: database.connectionString }), open()];
    const heldBy = (store: LeaseStore) => ({ address: store.holder, holder: store.holder, name: 'writer:main' });
    await first.take(heldBy(first), 600_000);
    expect(await second.heldAt('writer:main')).to.equal(first.holder);
    expect(await second.take(heldBy(second), LEASE_MS)).to.include({ kind: 'held' });
    await first.close();
    const endedMs = performance.now();
    await eventually('the lease is free', async () => (await second.heldAt('writer:main')) === null);
    expect(performance.now() - endedMs).to.be.at.least(ENDED_AFTER_MS);
    expect(await second.take(heldBy(second), LEASE_MS)).to.deep.equal({ kind: 'taken', term: 2 });
  });

  it('leaves a lease to a holder that has connected again, and to one whose connection was never seen', async () => {
    const [first, second] = [open(), open()];
    const own = { address: 'first', holder: first.holder, name: 'writer:main' };
    await first.take(own, 600_000);
    expect(await second.heldAt('writer:main')).to.equal('first');
    let lost = 0;
    const begunMs = performance.now();
    first.onDisconnect(() => (lost += 1));
    await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name like '%' || $1`, [
      first.holder,
    ]);
    await eventually('the loss is noticed', () => lost === 1);
    expect(await second.heldAt('writer:main')).to.equal('first');
    expect(await first.renew(own, 1, 600_000)).to.equal(true);
    await eventually('it is long enough after that', async () => {
      expect(await second.heldAt('writer:main')).to.equal('first');
      return performance.now() - begunMs > 2 * ENDED_AFTER_MS;
    });
    const late = open();
    await runOut();
    await first.take(claim('of a former build'), 600_000);
    const lookedMs = performance.now();
    await eventually('it is long enough after that', async () => {
      expect(await late.heldAt('writer:main')).to.equal('http://of a former build');
      return performance.now() - lookedMs > 2 * ENDED_AFTER_MS;
    });
  });

  it('lets a renewal and a taking that meet have one winner', async () => {
    const [first, second] = [open(), open()];
    let holder = 'a';
    let term = 1;
    await first.take(claim(holder), LEASE_MS);
    await second.take(claim('b'), LEASE_MS);
    for (let round = 0; round < 50; round += 1) {
      const other = holder === 'a' ? 'b' : 'a';
      await runOut();
      const [renewed, taken] = await Promise.all([
        first.renew(claim(holder), term, LEASE_MS),
        second.take(claim(other), LEASE_MS),
      ]);
      expect(renewed).to.equal(taken.kind === 'held');
      if (taken.kind === 'taken') [holder, term] = [other, taken.term];
    }
  });

  it('tells the wall clock of the database, and rejects where there is none', async () => {
    const { rows } = await admin.query<{ at: Date }>('select clock_timestamp() as at');
    const from = rows[0]?.at.getTime() ?? Number.NaN;
    const told = await databaseClock(database.connectionString);
    const { rows: after } = await admin.query<{ at: Date }>('select clock_timestamp() as at');
    expect(told).to.be.within(from, (after[0]?.at.getTime() ?? Number.NaN) + 1);
    const none: unknown = await databaseClock('postgresql://127.0.0.1:1/none').catch((error: unknown) => error);
    expect(none).to.be.instanceOf(Error);
  });

  it('outlives its connection, and one that hangs costs no more than its time limit', async () => {
    const store = open();
    await store.take(claim('a'), 60_000);
    await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${others}`);
    let renewed = false;
    while (!renewed) renewed = await store.renew(claim('a'), 1, 60_000).catch(() => false);
    await admin.query('begin');
    await admin.query('select from coordination.leases for update');
    const hung: unknown = await store.renew(claim('a'), 1, 60_000).catch((error: unknown) => error);
    expect(String(hung)).to.match(/timeout/);
    await admin.query('commit');
    expect(await store.renew(claim('a'), 1, 60_000)).to.equal(true);
  });

  it('opens where others made the table, for one who may make none', async () => {
    await open().take(claim('a'), 60_000);
    const user = `lease_user_${process.pid}`;
    await admin.query(`create role ${user} login password 'user'`);
    try {
      await admin.query(`grant usage on schema coordination to ${user}`);
      await admin.query(`grant select, insert, update on coordination.leases to ${user}`);
      const url = new URL(database.connectionString);
      url.username = user;
      url.password = 'user';
      const store = createLeaseStore({ connectionString: url.href });
      opened.push(store);
      expect(await store.take(claim('b'), LEASE_MS)).to.deep.equal({ address: 'http://a', kind: 'held' });
    } finally {
      await admin.query(`drop owned by ${user}`);
      await admin.query(`drop role ${user}`);
    }
  });

  it('goes from one process to the next when it is given up, and is lost by one from whom it was taken', async () => {
    const { signal } = new AbortController();
    const first = await lease('http://one', open()).acquire(signal);
    const next = lease('http://two', open());
    const acquired = next.acquire(signal);
    await first?.release();
    const second = await acquired;
    expect(second?.held()).to.equal(true);
    const lost = new Promise((resolve) => second?.lost.addEventListener('abort', resolve));
    await admin.query(`update coordination.leases set holder = 'thief', term = term + 1`);
    await lost;
    expect(second?.held()).to.equal(false);
  });
});
