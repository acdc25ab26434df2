import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, longTest, testDatabase } from '@paper/testkit';
import type { TestDatabase } from '@paper/testkit';
import { describeServices, temporaryDataDir } from '@paper/testkit/exchange';
import { createCuttableProxy, testRedis } from '@paper/testkit/servers';
import type { CuttableProxy } from '@paper/testkit/servers';
import { expect } from 'chai';
import { lives, runCommand, startServiceSet, stopServiceSet } from './service-set-process.ts';
import type { ServiceSetProcess } from './service-set-process.ts';

interface Row {
  readonly name: string;
  readonly pid: number | null;
  readonly state: string;
  readonly restarts: number;
  readonly url: string;
  readonly readiness: string;
}

const ONE_OF_EACH = { PROJECTORS: '1', QUERY_APIS: '1', STREAM_GATEWAYS: '1', PORTALS: '1', MCPS: '1' };

describeServices('npm run start:services', 'postgres', function () {
  this.timeout(120_000);
  let database: TestDatabase;
  let folder: ReturnType<typeof temporaryDataDir>;
  let running: ServiceSetProcess | null = null;
  let proxies: CuttableProxy[] = [];

  beforeEach(async () => {
    database = await testDatabase();
    folder = temporaryDataDir();
  });
  afterEach(async () => {
    running?.command.kill('SIGKILL');
    await running?.ended;
    running = null;
    for (const proxy of proxies) await proxy.close();
    proxies = [];
    await database.close();
    folder.remove();
  });

  const launch = (env: Record<string, string>): ServiceSetProcess =>
    (running = startServiceSet({ DATA_DIR: folder.dataDir, JOURNAL_URL: '', ...env }));
  const start = async (): Promise<ServiceSetProcess & { readonly baseUrl: string; readonly token: string }> => {
    const env = { ...ONE_OF_EACH, DATABASE_URL: database.connectionString, REDIS_URL: await testRedis() };
    const set = launch(env);
    const baseUrl = await set.ready();
    const file = JSON.parse(readFileSync(path.join(folder.dataDir, 'service.json'), 'utf8')) as {
      readonly baseUrl: string;
      readonly operatorToken: string;
    };
    expect(file.baseUrl).to.equal(baseUrl);
    expect(set.printed()).to.include(`In a browser    http://localhost:${new URL(baseUrl).port}/`);
    return { ...set, baseUrl, token: file.operatorToken };
  };
  const services = (...args: string[]): ReturnType<typeof runCommand> =>
    runCommand(['services', ...args], { DATA_DIR: folder.dataDir });
  const rows = async (): Promise<{ readonly code: number | null; readonly of: (name: string) => Row }> => {
    const { code, stdout } = await services('status', '--json');
    const all = (JSON.parse(stdout) as { readonly services: readonly Row[] }).services;
    return { code, of: (name) => all.find((row) => row.name === name)! };
  };

  it('serves as one exchange, shows and restarts its processes, and stops without leftovers', async () => {
    const set = await start();
    const { baseUrl, children, token } = set;
    expect([...children().values()].sort()).to.deep.equal([
      'backtests',
      'command-api',
      'command-api',
      'command-api',
      'haproxy',
      'mcp',
      'portal',
      'projector',
      'query-api',
      'stream-gateway',
    ]);
    const commandApis = ['command-api-1', 'command-api-2', 'command-api-3'];
    const names = [
      'projector-1',
      ...commandApis,
      'query-api-1',
      'stream-gateway-1',
      'portal-1',
      'mcp-1',
      'backtests-1',
    ];
    const shown = await services('status');
    expect(shown.stderr).to.equal('');
    expect(shown.code).to.equal(0);
    for (const name of [...names, 'front-door']) {
      expect(shown.stdout).to.match(new RegExp(`${name} +│ +\\d+ │ running │ 20\\S+Z │ +0 │ http://\\S+ +│ `));
    }

    const before = await rows();
    // The leader, beside others: a standby takes over, and it returns as a standby.
    const leader = names.find((name) => before.of(name).readiness === 'ready' && name.startsWith('command-api'))!;
    const restarted = ['front-door', leader];
    for (const name of restarted) expect(await services('restart', name), name).to.include({ code: 0, stderr: '' });
    const { of } = await rows();
    for (const name of restarted) {
      expect(of(name)).to.include({ restarts: 1, url: before.of(name).url });
      expect(of(name).readiness).to.match(name === leader ? /^standby at sequence \d+: http/ : /^ready$/);
      expect(of(name).pid).to.not.equal(before.of(name).pid);
      expect(lives(before.of(name).pid!)).to.equal(false);
    }
    const unknown = await services('restart', 'query-api-9');
    expect(unknown.code).to.equal(2);
    expect(unknown.stderr).to.equal(
      `There is no service query-api-9. There are: ${[...names, 'front-door'].join(', ')}.\n`,
    );

    const epoch = async (): Promise<number | null> => {
      const answer = await fetch(`${baseUrl}/api/operator/status`, { headers: { authorization: `Bearer ${token}` } });
      const body = (await answer.json()) as { readonly epoch: number };
      return answer.ok ? body.epoch : null;
    };
    expect(await epoch()).to.equal(2);
    const leads = commandApis.find((name) => of(name).readiness === 'ready')!;
    process.kill(of(leads).pid!, 'SIGKILL');
    await eventually('another leads', async () => (await epoch()) === 3);
    await eventually(
      'three command APIs run',
      () => [...children().values()].filter((what) => what === 'command-api').length === 3,
    );

    const all = children();
    await stopServiceSet(set);
    expect([...all.keys()].filter(lives)).to.deep.equal([]);
    for (const file of ['service.json', 'services.json']) {
      expect(existsSync(path.join(folder.dataDir, file)), file).to.equal(false);
    }
  });

  it('leaves no process when it is killed, and npm run services says that none runs', async function () {
    // The standalone's life, which every run tests, ends so as well.
    longTest(this);
    const { children, command } = await start();
    const all = [...children().keys()];
    expect(all).to.have.length(10);
    command.kill('SIGKILL');
    while (all.some(lives)) await sleep(50);
    const status = await services('status');
    expect(status.code).to.equal(2);
    expect(status.stderr).to.match(/^No `npm run start:services` runs on \S+\. Start it, or say by DATA_DIR/);
  });

  it('exits with 1 from npm run services -- status while a process does not answer', async function () {
    longTest(this);
    await start();
    const pid = (await rows()).of('stream-gateway-1').pid!;
    process.kill(pid, 'SIGSTOP');
    const frozen = await rows();
    expect(frozen.code).to.equal(1);
    expect(frozen.of('stream-gateway-1')).to.include({ state: 'silent', pid });
    process.kill(pid, 'SIGKILL');
    await eventually('it runs again', async () => {
      const { code, of } = await rows();
      return code === 0 && of('stream-gateway-1').restarts === 1;
    });
  });

  it('says what is not set', async () => {
    const set = launch({ DATABASE_URL: '', REDIS_URL: '' });
    await set.ended;
    expect(set.command.exitCode).to.equal(2);
    expect(set.said()).to.match(/DATABASE_URL: must be set.*\n.*REDIS_URL: must be set/);
  });

  it('waits for servers that are away and says once for which: it was an error at once', async function () {
    longTest(this);
    const [postgres, redis] = [
      await createCuttableProxy(database.connectionString),
      await createCuttableProxy(await testRedis()),
    ];
    proxies = [postgres, redis];
    for (const proxy of proxies) proxy.cut();
    const set = launch({ ...ONE_OF_EACH, DATABASE_URL: postgres.url, REDIS_URL: redis.url });
    const saidOf = (name: string): number => set.said().split(`Waiting for ${name} (`).length - 1;
    await eventually('it says for whom', () => saidOf('Postgres') > 0 && saidOf('Redis') > 0);
    const status = await services('status');
    expect(status.code).to.equal(1);
    expect(status.stdout).to.match(
      /^Waiting for Postgres.*\nWaiting for Redis.*\nNo service has been started yet\.\n$/,
    );
    redis.mend();
    await eventually('Redis is found', () => set.said().includes('Redis answers.'));
    expect(set.children().size).to.equal(0);
    postgres.mend();
    await set.ready();
    expect([saidOf('Postgres'), saidOf('Redis')]).to.deep.equal([1, 1]);
    await stopServiceSet(set);
  });
});
