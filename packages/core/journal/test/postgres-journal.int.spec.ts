import { setImmediate } from 'node:timers/promises';
import { openPool } from '@paper/pg-bulk';
import { testDatabase } from '@paper/testkit';
import type { TestDatabase } from '@paper/testkit';
import { expect } from 'chai';
import pg from 'pg';
import { AppendRefused, AppendUnknown, createPostgresJournal, EMPTY_HEAD, WrongExpectedHead } from '../src/index.ts';
import type { Journal, PostgresJournalOptions } from '../src/index.ts';
import { journalContract } from './contract.ts';
import { goldenEvents } from './golden/golden.ts';

const first = goldenEvents.slice(0, 1);
const second = goldenEvents.slice(1, 3);
const firstHead = { hash: first[0]!.hash, seq: 1 };
const secondHead = { hash: second[1]!.hash, seq: 3 };

let database: TestDatabase;

// Shards of one database are journals of their own, so that each test need not wait for a database.
let shards = 0;

async function withClient<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function failureOf(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    return error as Error;
  }
  throw new Error('it was expected to fail');
}

before(async function () {
  this.timeout(60_000);
  database = await testDatabase();
});

after(() => database.close());

journalContract('postgres', () => {
  const shard = `contract-${++shards}`;
  // Ids are unique in the whole database, and every test uses the same ones.
  const clean = (): Promise<void> =>
    withClient(database.connectionString, async (client) => {
      await client.query('set session_replication_role = replica');
      await client.query('delete from journal.events where shard = $1', [shard]);
    });
  return Promise.resolve({
    close: clean,
    open: () => createPostgresJournal({ connectionString: database.connectionString, shard }),
  });
});

describe('postgres journal', function () {
  // The limit is for a busy machine; no test here takes a second.
  this.timeout(30_000);
  let own: TestDatabase;
  let journal: Journal;
  let admin: pg.Client;
  const errors: unknown[] = [];
  const opened: Journal[] = [];

  /** Opens another instance, which is closed after the test. */
  const open = async (options: PostgresJournalOptions = {}): Promise<Journal> => {
    const instance = await createPostgresJournal({ connectionString: own.connectionString, ...options });
    opened.push(instance);
    return instance;
  };

  beforeEach(async () => {
    own = await testDatabase();
    journal = await open({ appendTimeoutMs: 30_000, onError: (error) => errors.push(error) });
    admin = new pg.Client({ connectionString: own.connectionString });
    await admin.connect();
  });

  afterEach(async () => {
    for (const instance of opened.splice(0)) await instance.close();
    await admin.end();
    await own.close();
  });

  it('is prepared by several that start at once', async () => {
    const together = await Promise.all([1, 2, 3, 4].map(() => open({ shard: 'together' })));
    for (const instance of together) expect(await instance.head()).to.deep.equal(EMPTY_HEAD);
  });

  it('opens for one who may only read, and refuses what he appends', async () => {
    // Roles belong to the whole server, and other tests may use that server.
    const reader = `journal_reader_${process.pid}`;
    await admin.query(`create role ${reader} login password 'reader'`);
    try {
      await admin.query(`grant usage on schema journal to ${reader}`);
      await admin.query(`grant select on all tables in schema journal to ${reader}`);
      const url = new URL(own.connectionString);
      url.username = reader;
      url.password = 'reader';
      const reading = await createPostgresJournal({ connectionString: url.href });
      opened.push(reading);
      expect(await reading.head()).to.deep.equal(EMPTY_HEAD);
      const refused = await failureOf(reading.append(EMPTY_HEAD, first));
      expect(refused).to.be.instanceOf(AppendRefused);
      expect(refused.message).to.match(/permission denied/);
    } finally {
      await admin.query(`drop owned by ${reader}`);
      await admin.query(`drop role ${reader}`);
    }
  });

  it('only grows: what is stored can be neither changed nor taken away', async () => {
    await journal.append(EMPTY_HEAD, first);
    for (const change of [
      `update journal.events set type = 'x'`,
      'delete from journal.events',
      'truncate journal.events',
    ]) {
      expect((await failureOf(admin.query(change))).message).to.match(/the journal only grows/);
    }
    expect(await journal.read(1, 10)).to.deep.equal(first);
  });

  it('waits for the disk at every append, whatever the server is set to', async () => {
    await admin.query(`
      create table public.seen (setting text);
      create function public.see() returns trigger language plpgsql as $$
        begin insert into public.seen values (current_setting('synchronous_commit')); return null; end $$;
      create constraint trigger see after insert on journal.events deferrable initially deferred
        for each row execute function public.see();`);
    await admin.query(`
      do $$ begin execute format('alter database %I set synchronous_commit = off', current_database()); end $$`);
    await (await open()).append(EMPTY_HEAD, first);
    expect((await admin.query('select setting from public.seen')).rows).to.deep.equal([{ setting: 'on' }]);
  });

  it('does not know how an append ended that took too long, and the same one again finds out', async () => {
    await admin.query('begin');
    await admin.query('select from journal.head for update');
    const pool = openPool({ connectionString: own.connectionString, max: 1 });
    try {
      const hasty = await createPostgresJournal({ appendTimeoutMs: 250, pool });
      expect(await failureOf(hasty.append(EMPTY_HEAD, first))).to.be.instanceOf(AppendUnknown);
      await hasty.close();
      // The abandoned connection still waits for the lock; the pool serves from another one.
      expect((await pool.query('select 1 as one')).rows).to.deep.equal([{ one: 1 }]);
    } finally {
      await pool.end();
    }
    await admin.query('commit');
    // The abandoned append may be stored by now, or not: sending the same batch again is right in both cases.
    await journal.append(EMPTY_HEAD, first);
    await journal.append(firstHead, second);
    expect(await journal.read(1, 10)).to.deep.equal([...first, ...second]);
  });

  it('does not know how an append ended whose connection was cut, and goes on over a new one', async () => {
    await journal.append(EMPTY_HEAD, first);
    await admin.query('begin');
    await admin.query('select from journal.head for update');
    const cut = failureOf(journal.append(firstHead, second));
    let cuts = 0;
    while (cuts === 0) {
      const { rowCount } = await admin.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and pid <> pg_backend_pid()`,
      );
      cuts = rowCount ?? 0;
      // A transaction keeps its own snapshot of pg_stat_activity until it is cleared.
      await admin.query('select pg_stat_clear_snapshot()');
    }
    expect(await cut).to.be.instanceOf(AppendUnknown);
    await admin.query('commit');
    await journal.append(firstHead, second);
    expect(await journal.head()).to.deep.equal(secondHead);
  });

  it('refuses what a constraint forbids, and stores nothing of it', async () => {
    await journal.append(EMPTY_HEAD, first);
    const sameId = [{ ...second[0]!, id: first[0]!.id }];
    expect(await failureOf(journal.append(firstHead, sameId))).to.be.instanceOf(AppendRefused);
    const noId = [{ ...second[0]!, id: 'not a uuid' }];
    expect(await failureOf(journal.append(firstHead, noId))).to.be.instanceOf(AppendRefused);
    const nul = [{ ...second[0]!, publicText: 'a\u0000b' }];
    expect(await failureOf(journal.append(firstHead, nul))).to.be.instanceOf(AppendRefused);
    expect(await journal.head()).to.deep.equal(firstHead);
    expect(await journal.read(1, 10)).to.deep.equal(first);
    await journal.append(firstHead, second);
  });

  it('keeps the journals of two shards apart', async () => {
    const other = await open({ shard: 'other' });
    await journal.append(EMPTY_HEAD, first);
    expect(await other.head()).to.deep.equal(EMPTY_HEAD);
    expect(await other.read(1, 10)).to.deep.equal([]);
    expect(await failureOf(other.append(firstHead, second))).to.be.instanceOf(WrongExpectedHead);
  });

  it('wakes a follower of another process without waiting for its poll', async () => {
    // With this interval, a poll would come after the test has failed.
    const reader = await open({ pollMs: 600_000 });
    const pages = reader.follow(1, { signal: new AbortController().signal })[Symbol.asyncIterator]();
    const next = pages.next();
    const listening = `select from pg_stat_activity where datname = current_database() and query like 'listen %'`;
    while ((await admin.query(listening)).rowCount !== 1);
    await journal.append(EMPTY_HEAD, first);
    expect((await next).value).to.deep.equal(first);
  });

  it('announces nothing where it is alone, and neither listens nor waits for its poll', async () => {
    const alone = await open({ alone: true, pollMs: 600_000 });
    const announced: unknown[] = [];
    admin.on('notification', ({ payload }) => announced.push(payload));
    await admin.query('listen journal_appended');
    const pages = alone.follow(1, { signal: new AbortController().signal })[Symbol.asyncIterator]();
    const next = pages.next();
    await alone.append(EMPTY_HEAD, first);
    expect((await next).value).to.deep.equal(first);
    const listening = `select from pg_stat_activity where datname = current_database() and query like 'listen %'`;
    expect((await admin.query(listening)).rowCount).to.equal(0);
    // Announcements arrive in the order of their commits.
    await journal.append(firstHead, second);
    while (announced.length === 0) await admin.query('select 1');
    expect(announced).to.deep.equal([`main ${secondHead.seq}`]);
  });

  it('gives its own followers what it has appended without reading it back', async () => {
    const pool = openPool({ connectionString: own.connectionString });
    pool.on('connect', (client) => {
      const query = client.query.bind(client) as (...query: unknown[]) => Promise<unknown>;
      const withoutReads = (...[config, ...values]: readonly unknown[]): Promise<unknown> =>
        typeof config === 'object' && config !== null && 'name' in config && config.name === 'journal_read'
          ? Promise.reject(new Error('connection terminated by the test'))
          : query(config, ...values);
      Object.assign(client, { query: withoutReads });
    });
    const following = await createPostgresJournal({ pool });
    try {
      const pages = following.follow(1, { signal: new AbortController().signal })[Symbol.asyncIterator]();
      for (const [expected, batch] of [
        [EMPTY_HEAD, first],
        [firstHead, second],
      ] as const) {
        const next = pages.next();
        await following.append(expected, batch);
        expect((await next).value).to.deep.equal(batch);
      }
    } finally {
      await following.close();
      await pool.end();
    }
  });

  it('does not read what it appends where that is announced before it is acknowledged', async () => {
    const pool = openPool({ connectionString: own.connectionString });
    let reads = 0;
    pool.on('connect', (client) => {
      const query = client.query.bind(client) as (...query: unknown[]) => Promise<unknown>;
      const counted = (...[config, ...values]: readonly unknown[]): Promise<unknown> => {
        if (typeof config === 'object' && config !== null && 'name' in config && config.name === 'journal_read') {
          reads += 1;
        }
        return query(config, ...values);
      };
      Object.assign(client, { query: counted });
    });
    const following = await createPostgresJournal({ pool, pollMs: 600_000 });
    const announce = (seq: number): Promise<unknown> =>
      withClient(own.connectionString, (client) => client.query(`select pg_notify('journal_appended', 'main ${seq}')`));
    /** Announcements arrive in order, so those before this one have led to their reads when it has led to its own. */
    const announceAndRead = async (seq: number): Promise<void> => {
      const before = reads;
      await announce(seq);
      while (reads === before) await setImmediate();
      for (let settled = -1; settled !== reads;) {
        settled = reads;
        await admin.query('select 1');
      }
    };
    try {
      const pages = following.follow(1, { signal: new AbortController().signal })[Symbol.asyncIterator]();
      const next = pages.next();
      await following.append(EMPTY_HEAD, first);
      await next;
      const later = pages.next();
      const listening = `select from pg_stat_activity where datname = current_database() and query like 'listen %'`;
      while ((await admin.query(listening)).rowCount !== 1);
      await announceAndRead(secondHead.seq + 1);
      await admin.query('begin');
      await admin.query('select from journal.head for update');
      const appending = following.append(firstHead, second);
      const before = reads;
      await announce(secondHead.seq);
      await announceAndRead(secondHead.seq + 1);
      expect(reads).to.equal(before + 1);
      await admin.query('commit');
      await appending;
      expect((await later).value).to.deep.equal(second);
    } finally {
      await following.close();
      await pool.end();
    }
  });

  it('goes on following where it was after all its connections were cut', async () => {
    const pages = journal.follow(1, { signal: new AbortController().signal })[Symbol.asyncIterator]();
    await journal.append(EMPTY_HEAD, first);
    expect((await pages.next()).value).to.deep.equal(first);
    const next = pages.next();
    // Waits for the listening connection, because its cut is always reported. A pooled connection that breaks just after
    // its work is dropped silently.
    const listening = `select from pg_stat_activity where datname = current_database() and query ~ '^listen' and state = 'idle'`;
    while ((await admin.query(listening)).rowCount === 0) await setImmediate();
    await admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    );
    await (await open()).append(firstHead, second);
    expect((await next).value).to.deep.equal(second);
    // The owner's listener is called, maybe a moment after the next page was read over a new connection.
    while (errors.length === 0) await setImmediate();
  });

  it('uses a pool that it was given and leaves it open', async () => {
    const pool = openPool({ connectionString: own.connectionString });
    const listeners = pool.listenerCount('error');
    try {
      const borrowing = await createPostgresJournal({ pool });
      const pages = borrowing.follow(1, { signal: new AbortController().signal })[Symbol.asyncIterator]();
      const next = pages.next();
      await borrowing.append(EMPTY_HEAD, first);
      expect((await next).value).to.deep.equal(first);
      await borrowing.close();
      expect((await pool.query('select 1 as one')).rows).to.deep.equal([{ one: 1 }]);
      expect(pool.listenerCount('error')).to.equal(listeners);
    } finally {
      await pool.end();
    }
  });

  it('says at once when there is no database', async () => {
    const url = new URL(own.connectionString);
    url.pathname = '/no_such_database';
    expect((await failureOf(createPostgresJournal({ connectionString: url.href }))).message).to.match(/does not exist/);
  });
});
