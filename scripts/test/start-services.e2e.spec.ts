import { expect } from 'chai';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeServices, temporaryDataDir, testDatabase, testRedis, type TestDatabase } from '@paper/testkit';

const root = path.resolve(import.meta.dirname, '../..');

interface Started {
  readonly command: ChildProcess;
  readonly ended: Promise<unknown>;
  readonly baseUrl: string;
  readonly token: string;
  /** The processes that it started, by what they run. */
  readonly children: () => Map<number, string>;
}

describeServices('npm run start:services', 'postgres', function () {
  this.timeout(90_000);
  let database: TestDatabase;
  let folder: ReturnType<typeof temporaryDataDir>;
  let running: Started | null = null;

  beforeEach(async () => {
    database = await testDatabase();
    folder = temporaryDataDir();
  });
  afterEach(async () => {
    running?.command.kill('SIGKILL');
    await running?.ended;
    running = null;
    await database.close();
    folder.remove();
  });

  const spawned = (env: Record<string, string>): ChildProcess =>
    spawn(process.execPath, ['scripts/run.mjs', 'start:services'], {
      cwd: root,
      env: { ...process.env, PORT: '0', DATA_DIR: folder.dataDir, npm_lifecycle_event: undefined, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const one = { PROJECTORS: '1', QUERY_APIS: '1', STREAM_GATEWAYS: '1' };

  const start = async (): Promise<Started> => {
    const command = spawned({ ...one, DATABASE_URL: database.connectionString, REDIS_URL: await testRedis() });
    const ended = once(command, 'exit');
    let said = '';
    command.stderr!.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const ready = new Promise<string>((resolve) => {
      createInterface({ input: command.stdout! }).on('line', (line) => {
        const url = /^Ready at (\S+)$/.exec(line)?.[1];
        if (url !== undefined) resolve(url);
      });
    });
    const failed = ended.then(() => Promise.reject(new Error(`it ended before it was ready:\n${said}`)));
    failed.catch(() => undefined);
    const baseUrl = await Promise.race([ready, failed]);
    const file = JSON.parse(readFileSync(path.join(folder.dataDir, 'service.json'), 'utf8')) as {
      readonly baseUrl: string;
      readonly operatorToken: string;
    };
    expect(file.baseUrl).to.equal(baseUrl);
    return (running = { command, ended, baseUrl, token: file.operatorToken, children: () => childrenOf(command.pid!) });
  };

  it('serves as one exchange, starts again what dies, and stops with nothing left', async () => {
    const { baseUrl, children, command, ended, token } = await start();
    const status = async (): Promise<{ readonly epoch: number } | null> => {
      const answer = await fetch(`${baseUrl}/api/operator/status`, { headers: { authorization: `Bearer ${token}` } });
      const body = (await answer.json()) as { readonly epoch: number };
      return answer.ok ? body : null;
    };
    const before = children();
    expect([...before.values()].sort()).to.deep.equal([
      'command-api',
      'command-api',
      'command-api',
      'haproxy',
      'projector',
      'query-api',
      'stream-gateway',
    ]);
    expect(await status()).to.include({ epoch: 1 });

    // Whichever of them leads.
    for (const [pid, what] of before) if (what === 'command-api') process.kill(pid, 'SIGKILL');
    for (let now = await status(); now?.epoch !== 2; now = await status()) await sleep(50);
    while ([...children().values()].filter((what) => what === 'command-api').length < 3) await sleep(50);

    const all = children();
    command.kill('SIGINT');
    await ended;
    expect(command.exitCode).to.equal(0);
    expect([...all.keys()].filter(lives)).to.deep.equal([]);
    expect(existsSync(path.join(folder.dataDir, 'service.json'))).to.equal(false);
  });

  it('leaves nobody behind when it is killed', async () => {
    const { children, command } = await start();
    const all = [...children().keys()];
    expect(all).to.have.length(7);
    command.kill('SIGKILL');
    while (all.some(lives)) await sleep(50);
  });

  it('names every server that it misses, and what is not set', async () => {
    const refused = async (env: Record<string, string>): Promise<string> => {
      const command = spawned({ DATABASE_URL: '', JOURNAL_URL: '', REDIS_URL: '', ...env });
      let said = '';
      command.stderr!.on('data', (chunk: Buffer) => (said += chunk.toString()));
      await once(command, 'close');
      expect(command.exitCode).to.equal(1);
      return said;
    };
    expect(await refused({})).to.match(/DATABASE_URL: must be set.*\n.*REDIS_URL: must be set/);
    const nobody = { DATABASE_URL: 'postgresql://a:secret@127.0.0.1:1/b', REDIS_URL: 'redis://127.0.0.1:1' };
    const said = await refused(nobody);
    expect(said).to.match(/Postgres cannot be used.*ECONNREFUSED.*\n.*Redis cannot be used.*ECONNREFUSED/);
    expect(said).not.to.contain('secret');
  });
});

/** Read from /proc: this suite's servers are only where that is, too. */
function childrenOf(parent: number): Map<number, string> {
  const pids = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim().split(' ').map(Number);
  return new Map(
    pids.flatMap((pid): [number, string][] => {
      const line = commandOf(pid);
      const what = /services\/([\w-]+)\/src\/main\.js/.exec(line)?.[1] ?? /haproxy/.exec(line)?.[0];
      return what === undefined ? [] : [[pid, what]];
    }),
  );
}

/** Empty of one that is gone. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** One that has ended and waits for its parent has no command line any more. */
const lives = (pid: number): boolean => commandOf(pid) !== '';
