import { fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, getPriority } from 'node:os';
import { pathToFileURL } from 'node:url';
import { setTimeout } from 'node:timers/promises';
import { createPostgresJournal } from '@paper/journal';
import type { Journal } from '@paper/journal';
import { testDatabase, SimulatedJournal } from '@paper/testkit';
import type { TestDatabase } from '@paper/testkit';
import { builtProgram } from '@paper/testkit/exchange';
import { expect } from 'chai';
import pg from 'pg';
import { startSnapshotChild } from '../src/snapshots/child.ts';
import type { SnapshotRequest } from '../src/snapshots/child.ts';
import { SnapshotStore } from '../src/snapshots/store.ts';
import { stateHash } from '../src/snapshots/pieces.ts';
import { fromFirstEvent, loadToEnd } from '../src/writer/load.ts';

const refused: string[] = [];
const observer = { refused: (reason: string) => void refused.push(reason) };

describe('the process that takes a snapshot', function () {
  this.timeout(60_000);
  let database: TestDatabase;
  let journal: Journal;
  let workload: SimulatedJournal;
  let client: pg.Client;
  let order: SnapshotRequest;
  let store: SnapshotStore;
  let start: typeof startSnapshotChild;
  const take = (by: SnapshotRequest): ReturnType<typeof start> => start(by, observer);
  // As built: a process that compiles its sources at the start takes three times as much.
  before(async () => {
    const { args } = await builtProgram('packages/core/command-side/src/snapshots/child');
    const module = (await import(pathToFileURL(args.at(-1) ?? '').href)) as {
      readonly startSnapshotChild: typeof startSnapshotChild;
    };
    start = module.startSnapshotChild;
  });
  beforeEach(async () => {
    database = await testDatabase();
    const { connectionString } = database;
    journal = await createPostgresJournal({ connectionString });
    workload = new SimulatedJournal({ seed: 1 }, journal);
    await workload.run(200);
    client = new pg.Client({ connectionString });
    await client.connect();
    order = { build: 'test', databaseUrl: connectionString, eventStoreUrl: null, shard: 'main' };
    store = new SnapshotStore({ connectionString, shard: 'main' });
  });
  afterEach(async () => {
    await client.end();
    await journal.close();
    await database.close();
  });

  /** A fold of the whole journal from its first event. */
  const foldOf = async () => loadToEnd(journal, await fromFirstEvent());

  /**
   * Inserts a row at the key of the snapshot of the journal's end, so that the snapshot's writer waits for this
   * transaction.
   */
  const holdTheRow = async (): Promise<void> => {
    await client.query('begin');
    await client.query(
      `insert into snapshots.snapshots (shard, seq, hash, version, build, state_hash, pieces, bytes)
       values ('main', $1, '', 0, '', '', 0, 0)`,
      [workload.head.seq],
    );
  };
  const untilItWaits = async (): Promise<void> => {
    for (;;) {
      const { rowCount } = await client.query(`select from pg_locks where not granted and locktype = 'transactionid'`);
      if (rowCount === 1) return;
      await setTimeout(20);
    }
  };
  const untilItIsGone = async (): Promise<void> => {
    for (;;) {
      const { rowCount } = await client.query(
        `select from pg_stat_activity where datname = current_database() and query like 'insert into snapshots%'
         and state <> 'idle' and pid <> pg_backend_pid()`,
      );
      if (rowCount === 0) return;
      await setTimeout(20);
    }
  };

  it('takes one of the whole journal, and then of what is new', async () => {
    // From its sources, as `npm start` does.
    const first = await startSnapshotChild(order, observer).taken;
    expect(first).to.deep.include({ events: workload.head.seq, seq: workload.head.seq });
    expect(first.snapshot?.stateHash).to.equal(stateHash(await foldOf()));
    await workload.run(100);
    const second = await take(order).taken;
    expect(second.events).to.equal(workload.head.seq - first.seq);
    expect(second.snapshot?.stateHash).to.equal(stateHash(await foldOf()));
    expect(await store.list()).to.deep.equal([second.snapshot, first.snapshot]);
  });

  it('killed half-way leaves the former snapshot as it was, and nothing of its own', async () => {
    const { snapshot } = await take(order).taken;
    await workload.run(100);
    await holdTheRow();
    const child = take(order);
    await untilItWaits();
    child.kill();
    const failure = await child.taken.then(() => null, String);
    expect(failure).to.equal('Error: its process ended with SIGKILL');
    await client.query('rollback');
    await untilItIsGone();
    expect(await store.list()).to.deep.equal([snapshot]);
    const { rows } = await client.query<{ seq: string }>('select distinct seq from snapshots.pieces');
    expect(rows.map(({ seq }) => Number(seq))).to.deep.equal([snapshot?.seq]);
    expect(stateHash(await store.read(snapshot!))).to.equal(snapshot?.stateHash);
    expect((await take(order).taken).snapshot?.stateHash).to.equal(stateHash(await foldOf()));
  });

  it('has a lower priority than others, and ends when the process that started it is gone', async () => {
    await take(order).taken;
    await workload.run(100);
    await holdTheRow();
    const { args } = await builtProgram('packages/core/command-side/src/snapshots/snapshot-process');
    const child = fork(args.at(-1) ?? '', [], { execArgv: [] });
    const exit = once(child, 'exit');
    child.send(order);
    await untilItWaits();
    // With the lowest priority it got no processor for minutes on a busy machine.
    const priority = Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL);
    expect(getPriority(child.pid)).to.equal(priority);
    child.disconnect();
    expect(await exit).to.deep.equal([1, null]);
    await client.query('rollback');
  });

  it('tells of a snapshot that it did not begin from', async () => {
    await take(order).taken;
    await client.query('update snapshots.snapshots set version = 99');
    refused.length = 0;
    const { events } = await take(order).taken;
    expect(events).to.equal(workload.head.seq);
    expect(refused).to.deep.equal(['it is of version 99, this program reads version 9']);
  });

  it('says why it could not', async () => {
    const gone = { ...order, databaseUrl: 'postgresql://x:secret@127.0.0.1:1/none' };
    const failure = await take(gone).taken.then(() => null, String);
    expect(failure).to.match(/^Error: .*ECONNREFUSED/);
    expect(failure).not.to.include('secret');
  });
});
