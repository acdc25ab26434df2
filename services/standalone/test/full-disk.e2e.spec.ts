import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { runningPostgres } from '@paper/embedded-postgres';
import { FolderInUse, killAtExit, lockFolder, withClient } from '@paper/runtime';
import { eventually } from '@paper/testkit';
import { builtProgram, startStandalone, temporaryDataDir } from '@paper/testkit/exchange';
import type { RunningStandalone } from '@paper/testkit/exchange';
import { createCheckedClient, operatorClient } from '@paper/testkit/http';
import { exhaustLog, placeCluster, SmallDisk } from '@paper/testkit/servers';

const FULL = 'the disk of DATA_DIR is full: free space';
const MB = 1024 * 1024;
const DISK_BYTES = 400 * MB;

/** The market, the account and the orders of one test, through the public API. */
async function startTrading(service: RunningStandalone) {
  const asOperator = operatorClient(await createCheckedClient(service.baseUrl), service.operatorToken);
  await asOperator.list('m');
  const { key } = await asOperator.open('Ann');
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const acknowledged: string[] = [];
  const order = async (): Promise<Response> => {
    const body = JSON.stringify({ marketId: 'm', outcome: 'yes', price: 0.4, quantity: 1 });
    const answer = await fetch(`${service.baseUrl}/api/orders`, { method: 'POST', headers, body });
    if (answer.status === 200) acknowledged.push(((await answer.clone().json()) as { id: string }).id);
    return answer;
  };
  const answers = (status: number) => async (): Promise<boolean> => (await order()).status === status;
  /** Each order that was acknowledged exists once. */
  const assertNoneLost = async (): Promise<void> => {
    const journal = await service.openJournal();
    const { seq } = await journal.head();
    const stored = (await journal.read(1, seq)).filter(({ type }) => type === 'OrderPlaced');
    const ids = stored.map(
      ({ publicText, privateText }) => /"orderId":"([^"]+)"/.exec(`${publicText}${privateText}`)?.[1],
    );
    await journal.close();
    expect(ids).to.include.members(acknowledged);
    expect(new Set(ids).size).to.equal(ids.length);
  };
  await order();
  return { acknowledged, answers, assertNoneLost, order };
}

async function readiness({ metricsUrl }: RunningStandalone): Promise<Record<string, string>> {
  const answer = await fetch(new URL('/health/ready', metricsUrl));
  return ((await answer.json()) as { checks: Record<string, string> }).checks;
}

const health = async ({ baseUrl }: RunningStandalone): Promise<string> =>
  ((await (await fetch(`${baseUrl}/api/health`)).json()) as { status: string }).status;

const postmaster = (dataDir: string): number =>
  Number(readFileSync(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n', 1)[0]);

/**
 * Kills the folder's database, and holds the folder's lock, so that it cannot start again. One that has started before
 * the lock was taken is killed too: the pause before the next start is longer. The returned function releases the lock.
 */
async function killAndHold(dataDir: string): Promise<() => void> {
  let killed = 0;
  let release: (() => void) | null = null;
  await eventually(
    'the service has released the lock',
    () => {
      try {
        const running = postmaster(dataDir);
        if (running !== killed) process.kill((killed = running), 'SIGKILL');
        release = lockFolder(dataDir, 'postgres.lock');
      } catch (error) {
        // The database is between its end and its next start.
        const { code } = error as NodeJS.ErrnoException;
        if (!(error instanceof FolderInUse) && code !== 'ENOENT' && code !== 'ESRCH') throw error;
      }
      return release !== null;
    },
    { everyMs: 1 },
  );
  return () => release?.();
}

describe('npm start, on a machine with mishaps', function () {
  this.timeout(120_000);
  let folder: ReturnType<typeof temporaryDataDir>;
  let disk: SmallDisk | string = '';
  let service: RunningStandalone | null = null;
  let starting: ChildProcess | null = null;

  beforeEach(() => (folder = temporaryDataDir()));
  afterEach(async () => {
    starting?.kill('SIGKILL');
    await service?.stop('SIGKILL');
    if (disk instanceof SmallDisk) disk.remove();
    [starting, service, disk] = [null, null, ''];
    folder.remove();
  });

  function mount(test: Mocha.Context, at: string): SmallDisk {
    disk = SmallDisk.make(at, DISK_BYTES);
    if (typeof disk === 'string') return test.skip();
    return disk;
  }

  /** Readiness, health, a read and an order say it; the log says it in one line. */
  async function assertSays(what: string, running: RunningStandalone, order: () => Promise<Response>): Promise<void> {
    const says = new RegExp(`^${what} \\(since \\d{4}-.*Z\\)$`);
    await eventually(`readiness says that ${what}`, async () => {
      const checks = await readiness(running);
      return says.test(checks['command side'] ?? '') && says.test(checks['database'] ?? '');
    });
    expect(await health(running)).to.equal('degraded');
    const answer = await order();
    expect(answer.status).to.equal(503);
    expect(answer.headers.has('retry-after')).to.equal(true);
    expect(await answer.json()).to.include({ code: 'unavailable' });
    expect(running.output().split(what)).to.have.length(2);
  }

  async function assertGoesOn(running: RunningStandalone, answers: (status: number) => () => Promise<boolean>) {
    await eventually('orders are taken again', answers(200), { withinMs: 10_000 });
    await eventually('health is ok', async () => (await health(running)) === 'ok');
    expect(running.child.exitCode).to.equal(null);
  }

  it('starts its database again after kill −9: the service ended with 1', async () => {
    service = await startStandalone({ dataDir: folder.dataDir });
    const { answers, assertNoneLost, order } = await startTrading(service);
    const killed = postmaster(folder.dataDir);
    const release = await killAndHold(folder.dataDir);
    await assertSays('the database has ended, and is started again', service, order);
    expect((await fetch(`${service.baseUrl}/api/markets`)).status).to.equal(503);
    release();
    await assertGoesOn(service, answers);
    expect(postmaster(folder.dataDir)).not.to.equal(killed);
    await assertNoneLost();
  });

  it('goes on with its start whenever its database is killed: it ended with 1', async () => {
    const { dataDir } = folder;
    await placeCluster(dataDir);
    const started = await begin(dataDir);
    const isConnected = (role: string): string => `select from pg_stat_activity where usename = '${role}'`;
    const moments = [
      'select',
      `select from pg_roles where rolname = 'paper_command'`,
      isConnected('paper_command'),
      `select from pg_tables where schemaname = 'portal'`,
      isConnected('paper_projector'),
      'select from journal.events',
    ];
    for (const moment of moments) {
      const isThere = async (): Promise<boolean> => {
        expect(started.child.exitCode, started.output()).to.equal(null);
        const connectionString = runningPostgres(dataDir);
        if (connectionString === null) return false;
        const found = withClient({ connectionString }, async (client) => (await client.query(moment)).rowCount);
        // Between a kill and the next start there is no server, and no table before it is made.
        return ((await found.catch(() => 0)) ?? 0) > 0;
      };
      await eventually(moment, isThere, { everyMs: 1 });
      process.kill(postmaster(dataDir), 'SIGKILL');
    }
    await assertStarts(started);
  });

  it('says that the disk of its tables is full, and goes on when there is space: health said ok', async function () {
    const full = mount(this, path.join(folder.dataDir, 'disk'));
    service = await startStandalone({ dataDir: path.join(full.folder, 'data') });
    const { answers, assertNoneLost, order } = await startTrading(service);
    full.fill();
    await assertSays(FULL, service, order);
    full.free();
    await assertGoesOn(service, answers);
    await assertNoneLost();
  });

  /** Puts the write-ahead log of a new cluster on the disk. */
  async function placeLogOn(full: SmallDisk): Promise<string> {
    const dataDir = path.join(folder.dataDir, 'data');
    await placeCluster(dataDir);
    const log = path.join(dataDir, 'postgres', 'pg_wal');
    // The server's user must reach the log by its path.
    chmodSync(folder.dataDir, 0o711);
    execFileSync('mv', [log, full.folder]);
    symlinkSync(path.join(full.folder, 'pg_wal'), log);
    return dataDir;
  }

  /** Begins a start in this folder; the returned function gives what it has printed so far. */
  async function begin(dataDir: string) {
    const { args, cwd } = await builtProgram('services/standalone/src/main');
    const env = { ...process.env, PORT: '0', DEMO: 'off', HOUSE_BOTS: 'off', RESERVE_MB: '0', DATA_DIR: dataDir };
    const child = (starting = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] }));
    killAtExit(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += String(chunk)));
    return { child, output: () => output };
  }

  async function assertStarts({ child, output }: Awaited<ReturnType<typeof begin>>): Promise<void> {
    await eventually('the service is ready', () => output().includes('Ready at '));
    child.kill('SIGINT');
    expect(await once(child, 'exit')).to.deep.equal([0, null]);
  }

  /** Starts it on a full disk, which it says in one sentence and nothing else; it is ready once there is space. */
  async function assertStartWaits(full: SmallDisk, dataDir: string): Promise<void> {
    const started = await begin(dataDir);
    await eventually('it says what it waits for', () => started.output() !== '');
    expect(started.output().trimEnd().split('\n')).to.have.length(1);
    expect(started.output())
      .to.include(FULL)
      .and.not.match(/FATAL|PANIC|LOG: | at /);
    full.free();
    await assertStarts(started);
  }

  it('survives a full disk of the write-ahead log: Postgres panicked, and nothing started it again', async function () {
    const full = mount(this, path.join(folder.dataDir, 'disk'));
    const dataDir = await placeLogOn(full);
    service = await startStandalone({ dataDir });
    const { answers, assertNoneLost, order } = await startTrading(service);
    full.fill();
    await exhaustLog(runningPostgres(dataDir) ?? '');
    await assertSays(FULL, service, order);
    full.free();
    await assertGoesOn(service, answers);
    await assertNoneLost();
  });

  it('says on a full disk in one sentence what it waits for, and starts when there is space', async function () {
    const full = mount(this, path.join(folder.dataDir, 'disk'));
    const dataDir = path.join(full.folder, 'data');
    await placeCluster(dataDir);
    full.fill();
    await assertStartWaits(full, dataDir);
  });

  it('says the same where the disk of the log is full: it printed Postgres’ lines and a stack', async function () {
    const full = mount(this, path.join(folder.dataDir, 'disk'));
    const dataDir = await placeLogOn(full);
    service = await startStandalone({ dataDir });
    full.fill();
    await exhaustLog(runningPostgres(dataDir) ?? '');
    await service.stop('SIGKILL');
    await assertStartWaits(full, dataDir);
  });
});
