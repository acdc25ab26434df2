import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Unavailable } from '@paper/contracts';
import type { StartBacktest, StartedBacktestBody } from '@paper/contracts/backtests';
import { withClient } from '@paper/runtime';
import { eventually, testDatabase } from '@paper/testkit';
import type { TestDatabase } from '@paper/testkit';
import { SmallDisk } from '@paper/testkit/servers';
import { expect } from 'chai';
import type { BacktestManager } from '../../src/host/manager.ts';
import { Reports } from '../../src/host/reports.ts';
import { JOURNAL_FILE } from '../../src/protocol.ts';
import { at, buy, clientOf } from '../process/running-backtest.ts';
import { callerOf, managedFolder } from './managed.ts';

const ANN = callerOf('ann');
const ASKED: StartBacktest = {
  ...{ tape: 'made-news', participants: 1, latencyMs: 0, feedLatencyMs: 0, fee: 0, seed: 1, patienceSeconds: 60 },
};

/** The processes of this one that run a program. */
function processesOf(program: string): readonly number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      const isOwn = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] === String(process.pid);
      return isOwn && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`/${program}.`);
    } catch {
      // It has ended.
      return false;
    }
  });
}

const isDone = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );

/** Sends a signal to the one process that runs a program, as soon as there is one. */
async function signal(program: string, name: NodeJS.Signals): Promise<void> {
  await eventually(`${program} runs`, () => processesOf(program).length === 1);
  for (const pid of processesOf(program)) process.kill(pid, name);
}

describe('a backtest whose process is killed', function () {
  this.timeout(240_000);
  let database: TestDatabase;
  let files: ReturnType<typeof managedFolder>;
  let manager: BacktestManager;

  before(async () => {
    database = await testDatabase();
    files = managedFolder({ databaseUrl: database.connectionString });
    await eventually('the tapes are read', () => isDone(files.tapes.list()));
  });
  beforeEach(() => {
    manager = files.manager();
    manager.open('http://localhost:4000');
  });
  afterEach(() => manager.stop());
  after(async () => {
    files.remove();
    await database.close();
  });

  const start = (asked: Partial<StartBacktest> = {}): Promise<StartedBacktestBody> =>
    manager.start(ANN, { ...ASKED, ...asked }, null, () => true);
  const clientFor = ({ baseUrl, participants }: StartedBacktestBody): ReturnType<typeof clientOf> => {
    const socket = manager.socketOf(baseUrl.split('/').at(-1) ?? '') ?? '';
    return clientOf({ keys: participants.map(({ apiKey }) => apiKey ?? ''), socket });
  };
  /** It has failed for this reason, nothing of it is left but its files, and its place is free. */
  const expectFailed = async (id: string, why: RegExp): Promise<void> => {
    await eventually('it has failed', () => manager.get(ANN, id).state === 'failed');
    expect(manager.get(ANN, id).why).to.match(why);
    await eventually('its database is gone', () =>
      withClient({ connectionString: database.connectionString }, async (connected) => {
        const name = `backtest_${id.replaceAll('-', '')}`;
        return (await connected.query('select from pg_database where datname = $1', [name])).rowCount === 0;
      }),
    );
    const next = await start({ to: at(1) });
    expect(next.state).to.equal('running');
    await manager.remove(ANN, next.id);
  };
  const newest = (): string => manager.list(ANN)[0]?.id ?? '';
  const reportOf = async (id: string, isPartial: boolean) => {
    const reports = new Reports();
    const report = () => reports.report(manager.folderOf(ANN, id), isPartial);
    // One that takes long is unavailable until it is made.
    await eventually('the report is made', () => isDone(report()));
    const text = (await report()).toString();
    return JSON.parse(text) as { readonly partial: boolean; readonly journal: { readonly seq: number } };
  };

  it('leaves nothing of a start that nobody waits for, unless its Idempotency-Key can ask for it again', async () => {
    const unheard = (idempotency: Parameters<BacktestManager['start']>[2]) =>
      manager.start(ANN, { ...ASKED, to: at(1) }, idempotency, () => false);
    const former = manager.list(ANN);
    await unheard(null);
    expect(manager.list(ANN)).to.deep.equal(former);
    const once = { key: 'once', fingerprint: 'a' };
    const [{ id }, { id: twice }] = await Promise.all([unheard(once), unheard(once)]);
    const again = await manager.start(ANN, { ...ASKED, to: at(1) }, once, () => true);
    expect([twice, again.id]).to.deep.equal([id, id]);
    expect(again.participants[0]?.apiKey).to.match(/^svc_live_/);
    await manager.remove(ANN, id);
  });

  it('before it listens, while its tape is read', async () => {
    const refused = start().catch((error: unknown) => error);
    await signal('backtest-process', 'SIGKILL');
    expect(await refused).to.be.instanceOf(Unavailable);
    await expectFailed(newest(), /^its process was ended by SIGKILL/);
  });

  it('while its exchange is made', async () => {
    const former = newest();
    const refused = start().catch((error: unknown) => error);
    await eventually('it has a journal', () => {
      return newest() !== former && existsSync(path.join(files.folder, newest(), JOURNAL_FILE));
    });
    await signal('backtest-process', 'SIGKILL');
    expect(await refused).to.be.instanceOf(Unavailable);
    await expectFailed(newest(), /SIGKILL/);
  });

  it('while an advance waits, and while it plays: what it had done can be reported', async () => {
    const started = await start({ participants: 2 });
    const { call, end } = clientFor(started);
    expect((await call(0, 'POST', '/api/orders', buy(3))).status).to.equal(200);
    const { eventsDone } = manager.get(ANN, started.id);
    const waiting = [0, 1].map((turn) => call(turn, 'POST', '/api/clock/advance', { wake: [] }));
    await eventually('the clock moves', () => manager.get(ANN, started.id).eventsDone > eventsDone);
    await signal('backtest-process', 'SIGKILL');
    await Promise.allSettled(waiting);
    end();
    await expectFailed(started.id, /SIGKILL/);
    expect(manager.socketOf(started.baseUrl.split('/').at(-1) ?? '')).to.equal(null);
    const report = await reportOf(started.id, true);
    expect(report.partial).to.equal(true);
    expect(report.journal.seq).to.be.greaterThan(0);
    const { count } = await manager.journalOf(ANN, started.id).page(1, 10);
    expect(count).to.equal(10);
  });

  it('after its end, and while its report is made: it stays ended, and the report is made when it is asked for again', async () => {
    const started = await start({ to: at(5) });
    const { call, end } = clientFor(started);
    await call(0, 'POST', '/api/clock/advance', { wake: [] });
    end();
    await eventually('it has ended', () => manager.get(ANN, started.id).state === 'ended');
    await signal('backtest-process', 'SIGKILL');
    await eventually('its process is gone', () => manager.socketOf(started.baseUrl.split('/').at(-1) ?? '') === null);
    const reports = new Reports();
    const refused = reports.report(manager.folderOf(ANN, started.id), false).catch((error: unknown) => error);
    await signal('reading-process', 'SIGKILL');
    expect(await refused).to.be.instanceOf(Unavailable);
    expect(await reportOf(started.id, false)).to.include({ partial: false });
    expect(manager.get(ANN, started.id)).to.include({ state: 'ended', why: null });
  });

  it('is ended where it hangs before it runs, after a bound', async () => {
    await manager.stop();
    manager = files.manager({ startMs: 2_000 });
    manager.open('http://localhost:4000');
    const refused = start().catch((error: unknown) => error);
    await signal('backtest-process', 'SIGSTOP');
    expect(await refused).to.be.instanceOf(Unavailable);
    const id = newest();
    expect(manager.get(ANN, id)).to.include({ state: 'failed', why: 'it did not run within 2 seconds' });
    await manager.stop();
    manager = files.manager();
    manager.open('http://localhost:4000');
    await expectFailed(id, /^it did not run within 2 seconds$/);
  });

  it('is ended where it hangs while it runs, and who waits is told', async () => {
    await manager.stop();
    manager = files.manager({ lookMs: 1_000 });
    manager.open('http://localhost:4000');
    const started = await start();
    const { call, end } = clientFor(started);
    await signal('backtest-process', 'SIGSTOP');
    const cut = call(0, 'GET', '/api/clock').catch((error: unknown) => error);
    await expectFailed(started.id, /^its process did not answer any more$/);
    expect(await cut).to.be.instanceOf(Error);
    end();
  });

  it('ends where the disk of its journal is full, with the reason; the next one runs once there is space', async function () {
    const disk = SmallDisk.make(path.join(files.folder, '..', 'disk'), 4 * 1024 * 1024);
    if (typeof disk === 'string') this.skip();
    try {
      await manager.stop();
      manager = files.manager({ folder: disk.folder });
      manager.open('http://localhost:4000');
      const started = await start();
      const { call, end } = clientFor(started);
      expect((await call(0, 'POST', '/api/orders', buy(3))).status).to.equal(200);
      disk.fill();
      await call(0, 'POST', '/api/clock/advance', { wake: [] }).catch(() => null);
      end();
      await eventually('it has failed', () => manager.get(ANN, started.id).state === 'failed');
      expect(manager.get(ANN, started.id).why).to.match(/ENOSPC/);
      expect(await start().catch((error: unknown) => error)).to.be.instanceOf(Unavailable);
      disk.free();
      await expectFailed(started.id, /ENOSPC/);
      expect(await reportOf(started.id, true)).to.include({ partial: true });
    } finally {
      await manager.stop();
      disk.remove();
    }
  });
});
