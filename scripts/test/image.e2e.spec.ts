import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SERVICE_NAMES } from '@paper/supervisor';
import type { Program, ServiceName } from '@paper/supervisor';
import { IS_LONG_RUN, longTest } from '@paper/testkit';
import { builtProgram, describeServices, startServices } from '@paper/testkit/exchange';
import type { RunningServices } from '@paper/testkit/exchange';
import { createCheckedClient, operatorClient } from '@paper/testkit/http';
import type { CheckedClient } from '@paper/testkit/http';
import { walkDockerfile } from './dockerfile-walk.ts';
import type { BuiltStage } from './dockerfile-walk.ts';

const root = path.resolve(import.meta.dirname, '../..');
/** The uid of `node` in the official images. */
const NODE_UID = 1000;
/** The services whose images are built: all of them with LONG_TESTS=1, since each takes ten seconds of a processor. */
const IMAGES: readonly ServiceName[] = IS_LONG_RUN ? SERVICE_NAMES : ['portal'];

/** There is no container engine here. The Dockerfile is carried out step by step, and the result is run. */
describeServices('the services as infra/Dockerfile builds them', 'postgres', function () {
  this.timeout(300_000);
  let folder: string;
  let images: ReadonlyMap<ServiceName, BuiltStage>;
  let set: RunningServices;
  let client: CheckedClient;
  const of = (name: ServiceName): BuiltStage => images.get(name)!;

  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'paper-images-'));
    // Another user runs the programs in it.
    chmodSync(folder, 0o755);
    const walk = walkDockerfile(path.join(root, 'infra/Dockerfile'), root, folder);
    images = new Map(IMAGES.map((name) => [name, walk.build({ SERVICE: name })]));
    // The portal's pages were bundled when its image was built: it starts without the bundler.
    rmSync(path.join(of('portal').workdir, 'node_modules/esbuild'), { recursive: true });
    const others = new Map<ServiceName, Program>();
    for (const name of SERVICE_NAMES) {
      if (!IMAGES.includes(name)) others.set(name, await builtProgram(`services/${name}/src/main`));
    }
    const program = (name: ServiceName): Program => {
      const other = others.get(name);
      if (other !== undefined) return other;
      const { cmd, env, workdir } = of(name);
      // The environment has no settings of the test run itself.
      return {
        args: cmd.slice(1),
        cwd: workdir,
        env: { ...env, NODE_OPTIONS: '' },
        ...(process.getuid?.() === 0 ? { uid: NODE_UID } : {}),
      };
    };
    const dataDir = path.join(folder, 'data');
    mkdirSync(dataDir);
    if (process.getuid?.() === 0) chownSync(dataDir, NODE_UID, NODE_UID);
    const env = { DATA_DIR: dataDir, HOST: '127.0.0.1', SNAPSHOT_EVERY: '50' };
    const asked = IS_LONG_RUN ? 1 : 0;
    const count = { portal: 1, mcp: asked, backtests: asked };
    set = await startServices({ journal: 'postgres', program, env, count });
    client = await createCheckedClient(set.baseUrl);
  });
  after(async () => {
    await set.stop();
    // By a program: Node takes seconds to remove so many files.
    spawnSync('rm', ['-rf', folder]);
  });

  it('runs as a user without rights, on node itself', () => {
    for (const name of IMAGES) {
      expect(of(name)).to.deep.include({ user: 'node' }).and.to.have.nested.property('cmd[0]', 'node');
    }
  });

  it('brings no tools of development, and no sources that would have to be compiled', () => {
    for (const name of IMAGES) {
      const tools = String.raw`.*/\(typescript\|mocha\|src/main\.ts\)`;
      const found = spawnSync('find', [of(name).workdir, '-regex', tools], { encoding: 'utf8' });
      expect(
        found.stdout.split('\n').filter((line) => !line.includes('/prom-client/')),
        name,
      ).to.deep.equal(['']);
    }
  });

  it('serves: an order is placed and read back', async () => {
    const asOperator = operatorClient(client, set.operatorToken);
    await asOperator.list('built');
    const { key } = await asOperator.open('Ann');
    const body = { marketId: 'built', outcome: 'yes', price: 0.4, quantity: 5 };
    expect(await client.ok('POST', '/api/orders', { key, body })).to.include({ status: 'open' });
    expect(await client.ok('GET', '/api/portfolio', { key })).to.have.nested.property('summary.openOrders', 1);
  });

  it('serves agents', async function () {
    if (!IMAGES.includes('mcp')) longTest(this);
    const { key } = await operatorClient(client, set.operatorToken).open('Agent');
    const answer = await fetch(`${set.baseUrl}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    expect(answer.status).to.equal(200);
    expect(await answer.text()).to.include('"search_markets"');
  });

  for (const page of [
    '/',
    '/leaderboard',
    '/page/demo-signal.mjs',
    '/api/docs',
    '/api/docs/swagger-ui-bundle.js',
    '/api/openapi',
    '/docs/format',
    '/verify-journal.mjs',
    '/clients/paper-trading-client.tgz',
  ]) {
    it(`serves ${page}`, async () => {
      const answer = await fetch(`${set.baseUrl}${page}`);
      await answer.body?.cancel();
      expect(answer.status).to.equal(200);
    });
  }

  it('takes snapshots in a process of its own, and measures a large graph on a thread', async function () {
    if (!IMAGES.includes('command-api') || !IMAGES.includes('query-api')) longTest(this);
    this.timeout(90_000);
    const asOperator = operatorClient(client, set.operatorToken);
    const { key } = await asOperator.open('Ben');
    for (let n = 0; n < 120; n += 1) await asOperator.list(`many-${n}`);
    const writer = set.of('command-api')[0]!;
    const rows = async (): Promise<unknown[]> => client.ok<unknown[]>('GET', '/api/markets/signals', { key });
    while (!writer.output().includes('a snapshot was taken')) {
      expect(writer.output()).not.to.contain('could not be taken');
      await sleep(50);
    }
    // Each answer is checked against the served document.
    while ((await rows()).length < 121) await sleep(250);
  });

  for (const name of IMAGES) {
    it(`${name}: its health check succeeds while it runs, and fails afterwards`, () => {
      const { healthcheck, workdir, env } = of(name);
      const check = (port: string): number | null =>
        spawnSync(healthcheck[0]!, healthcheck.slice(1), {
          cwd: workdir,
          env: { ...process.env, ...env, METRICS_PORT: port },
        }).status;
      expect(check(new URL(set.of(name)[0]!.operationUrl).port)).to.equal(0);
      expect(check('1')).to.equal(1);
    });
  }
});
