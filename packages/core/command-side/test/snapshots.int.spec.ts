import { SNAPSHOT_VERSION } from '@paper/exchange/snapshot';
import { createMemoryJournal, EMPTY_HEAD } from '@paper/journal';
import type { Journal } from '@paper/journal';
import { base, OPERATOR, SYSTEM, testDatabase, SimulatedJournal } from '@paper/testkit';
import type { TestDatabase } from '@paper/testkit';
import { expect } from 'chai';
import pg from 'pg';
import { loadFromSnapshot } from '../src/snapshots/load-snapshot.ts';
import { SnapshotStore } from '../src/snapshots/store.ts';
import { takeSnapshot } from '../src/snapshots/take.ts';
import { snapshotPieces, stateHash } from '../src/snapshots/pieces.ts';
import { FleetUsage } from '../src/usage/fleet-usage.ts';
import type { FoldedState } from '../src/writer/fold.ts';
import { fromFirstEvent, loadToEnd } from '../src/writer/load.ts';

const silent = { loaded: () => undefined, refused: () => undefined };

/** A fold of the whole journal from its first event. */
const foldOf = async (journal: Journal): Promise<FoldedState> => loadToEnd(journal, await fromFirstEvent());

describe('snapshots', function () {
  this.timeout(60_000);
  let database: TestDatabase;
  let client: pg.Client;
  let shards = 0;
  before(async () => {
    database = await testDatabase();
    client = new pg.Client({ connectionString: database.connectionString });
    await client.connect();
  });
  after(async () => {
    await client.end();
    await database.close();
  });

  /** A store without snapshots. */
  const newStore = () => {
    shards += 1;
    const shard = `shard-${shards}`;
    return { shard, store: new SnapshotStore({ connectionString: database.connectionString, shard }) };
  };

  /** Loads the state. `seq` is the start of the fold; `refused` lists the snapshots that were not used, and why. */
  const loadFrom = async (journal: Journal, store: SnapshotStore) => {
    const refused: string[] = [];
    const folded = await loadFromSnapshot(journal, store, {
      loaded: () => undefined,
      refused: (reason, snapshot) => void refused.push(`${snapshot?.seq ?? 'none'}: ${reason}`),
    });
    return { memory: folded, refused, seq: folded.head.seq };
  };

  /** A journal of three parts, with a snapshot after the first and one after the second. */
  const withTwo = async (seed: number) => {
    const { shard, store } = newStore();
    // By rules without closings: a snapshot from before names were forgotten is not kept.
    const workload = new SimulatedJournal({ rulesVersion: 3, seed });
    const seqs: number[] = [];
    for (let part = 0; part < 2; part += 1) {
      await workload.run(150);
      const { snapshot } = await takeSnapshot(workload.journal, store, 'test', silent);
      seqs.push(snapshot?.seq ?? 0);
    }
    await workload.run(150);
    const [older = 0, newer = 0] = seqs;
    return { journal: workload.journal, newer, older, shard, store, workload };
  };

  it('begin a fold that comes to the very state of a fold from the first event', async () => {
    for (const seed of [1, 2, 3]) {
      const { journal, newer, store, workload } = await withTwo(seed);
      const { memory: folded, refused, seq } = await loadFrom(journal, store);
      expect({ refused, seq }).to.deep.equal({ refused: [], seq: newer });
      const loaded = await loadToEnd(journal, folded);
      expect(loaded.head).to.deep.equal(workload.head);
      expect(stateHash(loaded)).to.equal(stateHash(await foldOf(workload.journal)));
    }
  });

  it('are logged with their content; the newest is kept, and the one from which it began', async () => {
    const { journal, newer, older, store, workload } = await withTwo(4);
    expect((await store.list()).map(({ seq }) => seq)).to.deep.equal([newer, older]);
    const { snapshot, events } = await takeSnapshot(journal, store, 'test', silent);
    const pieces = [...snapshotPieces(await foldOf(journal))];
    const bytes = Buffer.concat(pieces).length;
    expect(events).to.equal(workload.head.seq - newer);
    expect(snapshot).to.deep.include({
      ...workload.head,
      build: 'test',
      bytes,
      pieces: pieces.length,
      version: SNAPSHOT_VERSION,
    });
    expect(snapshot?.stateHash).to.equal(stateHash(await foldOf(journal)));
    const [first, second] = await store.list();
    expect(first).to.deep.equal(snapshot);
    expect(second?.seq).to.equal(newer);
  });

  it('from before names were forgotten are not kept', async () => {
    const { journal, newer, store, workload } = await withTwo(6);
    const [account] = workload.state.accounts.values();
    const accountId = account?.owner.id ?? '';
    const command = { ...base(OPERATOR, 'close'), accountId };
    await workload.submit({ ...command, type: 'CloseAccount' });
    while (workload.state.closings.size > 0) {
      const id = `continue ${workload.head.seq}`;
      await workload.submit({ ...base(SYSTEM, id), accountId, type: 'ContinueClosing' });
    }
    const forget = { ...command, id: 'forget', type: 'ForgetDisplayNames' } as const;
    expect((await workload.submit(forget)).kind).to.equal('accepted');
    const { snapshot } = await takeSnapshot(journal, store, 'test', silent);
    expect(snapshot?.seq).to.be.greaterThan(newer);
    expect((await store.list()).map(({ seq }) => seq)).to.deep.equal([snapshot?.seq]);
  });

  it('are many pieces where the state is large', async () => {
    const { shard, store } = newStore();
    const { state, head } = new SimulatedJournal({ seed: 5 });
    const usage = new FleetUsage();
    for (let n = 0; n < 40_000; n += 1) state.signals.set(`signal ${n} ${'x'.repeat(60)}`, n);
    const snapshot = await store.write({ head, state, usage }, 'test', null);
    expect(snapshot.pieces).to.equal(8);
    expect(stateHash(await store.read(snapshot))).to.equal(stateHash({ state, usage }));
    await client.query('delete from snapshots.pieces where shard = $1 and number = 2', [shard]);
    const failure = await store.read(snapshot).then(() => null, String);
    expect(failure).to.equal('Error: piece 3 of 8 is missing');
  });

  it('are not taken of an empty journal, nor where nothing has come since the last', async () => {
    const { store } = newStore();
    const workload = new SimulatedJournal({ seed: 6 });
    const none = { events: 0, seq: 0, snapshot: null };
    expect(await takeSnapshot(workload.journal, store, 'test', silent)).to.deep.equal(none);
    await workload.run(30);
    const { seq } = await takeSnapshot(workload.journal, store, 'test', silent);
    expect(await takeSnapshot(workload.journal, store, 'test', silent)).to.deep.equal({ ...none, seq });
  });

  it('are not taken while the last decision is not there whole', async () => {
    const { store } = newStore();
    const whole = new SimulatedJournal({ seed: 7 });
    await whole.run(200);
    const all = await whole.journal.read(1, whole.head.seq);
    const cut = createMemoryJournal();
    // A sub-account is opened with its key: two events of one decision.
    const at = all.findIndex(({ type }) => type === 'SubAccountOpened') + 1;
    await cut.append(EMPTY_HEAD, all.slice(0, at));
    const failure = await takeSnapshot(cut, store, 'test', silent).then(() => null, String);
    expect(failure).to.equal(`Error: the journal ends within a decision at sequence ${at}; try again`);
    expect(await store.list()).to.deep.equal([]);
  });

  it('are not waited for for ever: a server that has stopped to answer breaks the connection', async () => {
    const { connectionString } = database;
    const { shard, store } = newStore();
    const { state, head } = new SimulatedJournal({ seed: 8 });
    const usage = new FleetUsage();
    const snapshot = await store.write({ head, state, usage }, 'test', null);
    await client.query('begin');
    await client.query('lock table snapshots.pieces');
    const impatient = new SnapshotStore({ connectionString, shard, silenceMs: 200 });
    const failure = await impatient.read(snapshot).then(() => null, String);
    expect(failure).to.equal('Error: no answer from Postgres within 200 ms');
    await client.query('rollback');
    expect(stateHash(await store.read(snapshot))).to.equal(stateHash({ state, usage }));
  });

  describe('that are not good', () => {
    const damages: readonly (readonly [what: string, sql: string, reason: RegExp])[] = [
      [
        'have flipped bits',
        'update snapshots.pieces set bytes = set_byte(bytes, length(bytes) / 2, get_byte(bytes, length(bytes) / 2) # 1)',
        /./,
      ],
      [
        // The damaged byte counts the sub-accounts of the last account.
        'have another figure',
        `update snapshots.pieces set bytes = case number
           when 1 then set_byte(bytes, length(bytes) - 1, get_byte(bytes, length(bytes) - 1) # 1) else bytes end`,
        /^the hash of its pieces is [0-9a-f]{64}, it should be [0-9a-f]{64}$/,
      ],
      [
        'are cut off',
        'update snapshots.pieces set bytes = substring(bytes for length(bytes) / 2)',
        /^its table is cut off$/,
      ],
      ['hold no tables', `update snapshots.pieces set bytes = ''`, /^its table is cut off$/],
      ['lack all pieces', 'delete from snapshots.pieces', /^piece 1 of \d+ is missing$/],
      ['are of another version', 'update snapshots.snapshots set version = 99', /^it is of version 99, this program/],
      [
        'are of another journal',
        `update snapshots.snapshots set hash = repeat('a', 64)`,
        /^the journal's event \d+ has the hash [0-9a-f]{64}, its own is a{64}$/,
      ],
      [
        'have another hash',
        `update snapshots.snapshots set state_hash = repeat('b', 64)`,
        /^the hash of its pieces is [0-9a-f]{64}, it should be b{64}$/,
      ],
    ];
    for (const [index, [what, sql, reason]] of damages.entries()) {
      it(`are refused when they ${what}, and the fold begins earlier`, async () => {
        const { journal, newer, older, shard, store, workload } = await withTwo(10 + index);
        const expected = stateHash(await foldOf(journal));

        await client.query(`${sql} where shard = $1 and seq = $2`, [shard, newer]);
        const second = await loadFrom(journal, store);
        expect(second.seq).to.equal(older);
        expect(second.refused).to.have.lengthOf(1);
        expect(second.refused[0]).to.match(new RegExp(`^${newer}: `));
        expect(second.refused[0]?.slice(`${newer}: `.length)).to.match(reason);
        expect(stateHash(await loadToEnd(journal, second.memory))).to.equal(expected);

        await client.query(`${sql} where shard = $1 and seq = $2`, [shard, older]);
        const third = await loadFrom(journal, store);
        expect(third.seq).to.equal(0);
        expect(third.refused).to.have.lengthOf(2);
        expect(stateHash(await loadToEnd(journal, third.memory))).to.equal(expected);

        // The next snapshot replaces both unusable ones.
        const { snapshot } = await takeSnapshot(journal, store, 'test', silent);
        expect(await store.list()).to.deep.equal([snapshot]);
        expect(await loadFrom(journal, store)).to.deep.include({ refused: [], seq: workload.head.seq });
      });
    }

    it('are refused when the journal does not come so far', async () => {
      const { newer, older, store } = await withTwo(20);
      const { refused, seq } = await loadFrom(createMemoryJournal(), store);
      expect(seq).to.equal(0);
      expect(refused).to.deep.equal([newer, older].map((each) => `${each}: the journal ends before sequence ${each}`));
    });

    it('are done without when their database cannot be reached, or has none', async () => {
      const workload = new SimulatedJournal({ seed: 21 });
      await workload.run(50);
      const gone = new SnapshotStore({ connectionString: 'postgresql://x:y@127.0.0.1:1/none', shard: 'main' });
      const { refused, seq } = await loadFrom(workload.journal, gone);
      expect(seq).to.equal(0);
      expect(refused).to.deep.equal(['none: the snapshots cannot be listed: connect ECONNREFUSED 127.0.0.1:1']);

      const other = await testDatabase();
      const empty = new SnapshotStore({ connectionString: other.connectionString, shard: 'main' });
      expect(await loadFrom(workload.journal, empty)).to.deep.include({ refused: [], seq: 0 });
      await other.close();
    });

    it('are done without when their tables are of a former form, which the next snapshot replaces', async () => {
      const other = await testDatabase();
      const { connectionString } = other;
      const former = new pg.Client({ connectionString });
      await former.connect();
      await former.query(`
        create schema snapshots;
        create table snapshots.snapshots (shard text, seq bigint, primary key (shard, seq));
        create table snapshots.pieces (shard text, seq bigint, number integer, gzip bytea,
          foreign key (shard, seq) references snapshots.snapshots);
        insert into snapshots.snapshots values ('main', 7)`);
      await former.end();
      const store = new SnapshotStore({ connectionString, shard: 'main' });
      const workload = new SimulatedJournal({ seed: 23 });
      await workload.run(50);
      expect(await loadFrom(workload.journal, store)).to.deep.include({ refused: [], seq: 0 });
      const { snapshot } = await takeSnapshot(workload.journal, store, 'test', silent);
      expect(await store.list()).to.deep.equal([snapshot]);
      await other.close();
    });

    it('do not hide that a journal cannot be read: the error is thrown', async () => {
      const { journal, store } = await withTwo(22);
      const broken = { ...journal, read: () => Promise.reject(new Error('the journal is gone')) } as Journal;
      const failure = await loadFrom(broken, store).then(() => null, String);
      expect(failure).to.equal('Error: the journal is gone');
    });
  });
});
