import { expect } from 'chai';
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { FolderInUse, processStartedAt, StartRefused } from '@paper/runtime';
import { ciTest } from '@paper/testkit';
import { builtFolder } from '@paper/testkit/exchange';
import pg from 'pg';
import { clearLeftover } from '../src/leftover.ts';
import { LOG_BYTES_MAX } from '../src/server-log.ts';
import { startEmbeddedPostgres } from '../src/index.ts';
import type { EmbeddedPostgres } from '../src/index.ts';

interface Held {
  readonly child: ChildProcess;
  readonly connectionString: string;
  /** The server's process id. */
  readonly pid: number;
}

const holdServer = join(import.meta.dirname, 'hold-server.mjs');

describe('embedded Postgres', function () {
  this.timeout(60_000);
  let folder: string;
  /** The folder of a cluster to copy, since initdb takes most of a first start. */
  let made: string;
  const running: EmbeddedPostgres[] = [];
  const children: ChildProcess[] = [];

  before(async () => {
    made = mkdtempSync(join(tmpdir(), 'embedded-postgres-'));
    const server = await startEmbeddedPostgres({ dataDir: made, settings: { fsync: 'off' } });
    await server.stop();
  });
  after(() => rmSync(made, { recursive: true, force: true }));

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'embedded postgres '));
    mkdirSync(join(folder, 'data'), { mode: 0o700 });
    spawnSync('cp', ['-a', join(made, 'postgres'), join(folder, 'data')]);
  });

  /** Removes the cluster: the test is about its making. */
  const withoutCluster = (): void => rmSync(join(folder, 'data'), { recursive: true });

  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await Promise.all(running.splice(0).map((server) => server.stop()));
    await eventually(() => !existsSync(join(folder, 'data/postgres/postmaster.pid')) || stale(folder));
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  });

  /** fsync off: these tests are about supervision, and a killed process leaves the page cache intact. */
  async function start(dataDir = join(folder, 'data'), fsync = 'off'): Promise<EmbeddedPostgres> {
    const server = await startEmbeddedPostgres({ dataDir, settings: { fsync } });
    running.push(server);
    return server;
  }

  async function startInChild(options: { env?: NodeJS.ProcessEnv; uid?: number } = {}): Promise<Held> {
    // As built, since a process that compiles its sources at the start takes three times as much. Another user may not
    // reach what was built.
    const program =
      options.uid === undefined
        ? [holdServer, join(folder, 'data'), join(await builtFolder(), 'packages/kit/embedded-postgres/src/index.js')]
        : ['--import', 'tsx', holdServer, join(folder, 'data'), join(import.meta.dirname, '../src/index.ts')];
    const child = spawn(process.execPath, program, {
      stdio: ['ignore', 'pipe', 'inherit'],
      ...options,
    });
    children.push(child);
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    return { child, ...(JSON.parse(line) as { connectionString: string; pid: number }) };
  }

  it('runs at a path with a space, in a folder that only its owner enters, and again', async function () {
    ciTest(this);
    withoutCluster();
    const first = await start();
    await query(first.connectionString, 'create table kept (n int)');
    await first.stop();
    const second = await start();
    expect(await query(second.connectionString, 'select count(*)::int as n from kept')).to.deep.equal([{ n: 0 }]);
    expect(new URL(second.connectionString).hostname).to.equal('127.0.0.1');
  });

  it('starts a copy that root has made', async function () {
    if (process.getuid?.() !== 0) this.skip();
    spawnSync('chown', ['-hR', '0:0', join(folder, 'data/postgres')]);
    const { connectionString } = await start();
    expect(await query(connectionString, 'select 1 as n')).to.deep.equal([{ n: 1 }]);
    expect(statSync(join(folder, 'data/postgres/PG_VERSION')).uid).to.not.equal(0);
  });

  it('leaves its address for scripts while it runs, for its owner only', async () => {
    const server = await start();
    const handover = join(folder, 'data/postgres.json');
    expect(JSON.parse(readFileSync(handover, 'utf8'))).to.deep.equal({ connectionString: server.connectionString });
    expect(statSync(handover).mode & 0o777).to.equal(0o600);
    expect(statSync(join(folder, 'data')).mode & 0o777).to.equal(0o700);
    await server.stop();
    expect(existsSync(handover)).to.equal(false);
  });

  it('refuses a wrong password', async () => {
    const url = new URL((await start()).connectionString);
    url.password = 'guess';
    const failure = await query(url.href, 'select 1').catch((error: unknown) => error);
    expect(failure).to.include({ code: '28P01' });
  });

  it('flushes commits, unless the settings say otherwise', async () => {
    const server = await startEmbeddedPostgres({ dataDir: join(folder, 'data') });
    running.push(server);
    expect(
      await query(
        server.connectionString,
        "select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'jit') order by 1",
      ),
    ).to.deep.equal([
      { name: 'fsync', setting: 'on' },
      { name: 'jit', setting: 'off' },
      { name: 'synchronous_commit', setting: 'on' },
    ]);
  });

  it('ends with its process after kill −9, and keeps what was committed', async () => {
    const { child, connectionString, pid } = await startInChild();
    await query(connectionString, 'create table kept as select 7 as n');
    child.kill('SIGKILL');
    await eventually(() => processStartedAt(pid) === null);
    const again = await start();
    expect(await query(again.connectionString, 'select n from kept')).to.deep.equal([{ n: 7 }]);
  });

  it('ends with its process where there is no setpriv', async function () {
    ciTest(this);
    // With an empty PATH, the watching shell has only its built-in commands.
    const { child, pid } = await startInChild({ env: { PATH: folder } });
    child.kill('SIGKILL');
    await eventually(() => processStartedAt(pid) === null);
    await start();
  });

  it('starts at once after kill −9, while the former server is still ending', async () => {
    const { child } = await startInChild();
    child.kill('SIGKILL');
    await once(child, 'exit');
    await start();
  });

  it('refuses a second process on the same folder, and names the first', async () => {
    const { child } = await startInChild();
    const failure = await start().catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(FolderInUse);
    expect((failure as FolderInUse).pid).to.equal(child.pid);
    expect((failure as FolderInUse).message).to.include(`pid ${child.pid}`);
  });

  it('starts over a pid file that is empty, or of a process that is no Postgres', async () => {
    await (await start()).stop();
    const pidFile = join(folder, 'data/postgres/postmaster.pid');
    for (const content of [
      '',
      'x',
      `${process.pid}\n${folder}/data/postgres\n1\n5432\n\n127.0.0.1\n  1 2\nready   \n`,
    ]) {
      writeFileSync(pidFile, content);
      await (await start()).stop();
    }
  });

  it('starts over a lock of a process that is gone, also when its pid is in use again', async () => {
    for (const content of ['', `${process.pid} long-ago\n`, '4194999 1\n']) {
      writeFileSync(join(folder, 'data/postgres.lock'), content);
      await (await start()).stop();
    }
  });

  it('starts over a cluster that was never finished', async () => {
    withoutCluster();
    mkdirSync(join(folder, 'data/postgres.new/cluster/base'), { recursive: true });
    await start();
  });

  it('says what to do where files of the cluster are gone', async () => {
    rmSync(join(folder, 'data/postgres/paper-password'));
    const error: unknown = await startEmbeddedPostgres({ dataDir: join(folder, 'data') }).catch(
      (reason: unknown) => reason,
    );
    expect(error).to.be.instanceOf(StartRefused);
    expect(String(error)).to.match(
      /postgres is not whole: it has no file paper-password\. Put a whole copy .* npm run restore/,
    );
  });

  it('shuts down a server that lives on without its process', async () => {
    const server = await start();
    const reason = new Promise<string>((resolve) => server.onExit(resolve));
    await clearLeftover(join(folder, 'data/postgres'));
    // A process that ends releases its program and folder shortly before it is gone.
    expect(await reason).to.include(`pid ${server.pid}`);
    expect(processStartedAt(server.pid)).to.equal(null);
  });

  it('reports an end of the server without `stop`, and none after `stop`', async () => {
    const killed = await start();
    const reason = new Promise<string>((resolve) => killed.onExit(resolve));
    process.kill(killed.pid, 'SIGKILL');
    expect(await reason).to.include('SIGKILL');
    const stopped = await start();
    let told = 0;
    stopped.onExit(() => (told += 1));
    await stopped.stop();
    expect(told).to.equal(0);
  });

  it('keeps its log small while it runs, and the former part', async () => {
    const { connectionString } = await start();
    const log = join(folder, 'data/postgres.log');
    const client = new pg.Client({ connectionString });
    await client.connect();
    try {
      await client.query("do $$ begin for n in 1..6 loop raise log '%', repeat('x', 1000000); end loop; end $$");
      await eventually(() => statSync(log).size < LOG_BYTES_MAX);
      expect(statSync(`${log}.1`).size).to.be.greaterThan(LOG_BYTES_MAX);
      await client.query("do $$ begin raise log 'afterwards'; end $$");
      expect(readFileSync(log, 'utf8')).to.match(/^[^\0]*LOG: {2}afterwards/);
    } finally {
      await client.end();
    }
  });

  it('runs for a user who is not root', async function () {
    ciTest(this);
    const nobody = 65534;
    const mayRead = spawnSync(process.execPath, ['-e', `fs.readFileSync(${JSON.stringify(holdServer)})`], {
      uid: nobody,
    });
    // Skipped unless root runs it: as another user, all tests above cover this.
    if (process.getuid?.() !== 0 || mayRead.status !== 0) this.skip();
    withoutCluster();
    chownSync(folder, nobody, nobody);
    const { connectionString } = await startInChild({ uid: nobody });
    expect(await query(connectionString, 'select 1 as n')).to.deep.equal([{ n: 1 }]);
    expect(statSync(join(folder, 'data/postgres')).uid).to.equal(nobody);
  });

  it('ends when its recovery is killed, and does not wait for it for ever', async function () {
    if (!existsSync('/proc/self/task')) this.skip();
    // With fsync the recovery first syncs the data folder.
    const server = await start(join(folder, 'data'), 'on');
    const reasons: string[] = [];
    server.onExit((reason) => reasons.push(reason));
    const isUp = (): Promise<boolean> => query(server.connectionString, 'select').then(Boolean, () => false);
    // The recovery may be over before its process is killed.
    while (reasons.length === 0) {
      if (!(await isUp())) {
        await sleep(50);
        continue;
      }
      kill(server.pid, 'checkpointer');
      const untilMs = performance.now() + 1_000;
      while (!kill(server.pid, 'startup') && performance.now() < untilMs);
    }
    expect(reasons[0]).to.match(/Postgres \(pid \d+\) ended/);
    await server.stop();
    const again = await start();
    expect(await query(again.connectionString, 'select 1 as one')).to.deep.equal([{ one: 1 }]);
  });
});

async function query(connectionString: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(text)).rows as unknown[];
  } finally {
    await client.end();
  }
}

async function eventually(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(10);
}

/** Kills the server's process of this title; false where there is none. */
function kill(serverPid: number, title: string): boolean {
  const children = readFileSync(`/proc/${serverPid}/task/${serverPid}/children`, 'utf8').trim().split(' ');
  for (const child of children) {
    try {
      if (!readFileSync(`/proc/${child}/cmdline`, 'utf8').startsWith(`postgres: ${title}`)) continue;
      process.kill(Number(child), 'SIGKILL');
      return true;
    } catch {
      // It has just ended.
    }
  }
  return false;
}

/** Simulates a pid file that a killed server left. */
function stale(folder: string): boolean {
  const pid = Number(readFileSync(join(folder, 'data/postgres/postmaster.pid'), 'utf8').split('\n')[0]);
  return !(pid > 0) || processStartedAt(pid) === null || pid === process.pid;
}
