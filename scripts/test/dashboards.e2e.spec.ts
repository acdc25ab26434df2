import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@paper/runtime';
import { eventually, isLongSuiteLeftOut } from '@paper/testkit';
import { describeServices, startServices } from '@paper/testkit/exchange';
import type { RunningServices } from '@paper/testkit/exchange';
import { createCheckedClient, eventBlocks, operatorClient } from '@paper/testkit/http';
import { expect } from 'chai';
import { stringify } from 'yaml';
import { expressionsOf } from './dashboard-schema.ts';
import type { Dashboard } from './dashboard-schema.ts';

const root = path.resolve(import.meta.dirname, '../..');

describeServices('the dashboards in a Prometheus that watches the services', 'postgres', function () {
  if (isLongSuiteLeftOut()) return;
  this.timeout(240_000);
  const folder = mkdtempSync(path.join(tmpdir(), 'prometheus-'));
  let set: RunningServices | null = null;
  let prometheus: ChildProcess | null = null;
  let address: string;

  before(async function () {
    if (spawnSync('prometheus', ['--version']).error !== undefined) this.skip();
    const services = await startServices({ journal: 'postgres', count: { 'command-api': 2, portal: 1 } });
    set = services;
    address = `127.0.0.1:${await freePort()}`;
    const jobs = [...new Set(services.services.map(({ name }) => name))];
    const config = {
      global: { scrape_interval: '1s' },
      scrape_configs: jobs.map((name) => ({
        job_name: name,
        static_configs: [{ targets: services.of(name).map(({ operationUrl }) => new URL(operationUrl).host) }],
      })),
    };
    writeFileSync(path.join(folder, 'prometheus.yml'), stringify(config));
    const args = [
      `--config.file=${path.join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${path.join(folder, 'data')}`,
      `--web.listen-address=${address}`,
    ];
    prometheus = spawn('prometheus', args, { stdio: 'ignore' });
  });
  after(async () => {
    if (prometheus !== null) {
      const ended = once(prometheus, 'exit');
      prometheus.kill();
      await ended;
    }
    await set?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const series = async (expr: string): Promise<readonly unknown[]> => {
    const answer = await fetch(`http://${address}/api/v1/query?query=${encodeURIComponent(expr)}`).catch(() => null);
    const body = (await answer?.json()) as { status: string; error?: string; data?: { result: unknown[] } } | undefined;
    if (body?.status === 'error') throw new Error(`${expr}: ${body.error}`);
    return body?.data?.result ?? [];
  };

  it('has data for the expression of every panel', async () => {
    if (set === null) throw new Error('no services were started');
    const { baseUrl, operatorToken } = set;
    const client = await createCheckedClient(baseUrl);
    const desk = operatorClient(client, operatorToken);
    await desk.list('m');
    const { key } = await desk.open('Ann');
    // Its orders are refused.
    const poor = await desk.open('Ben', { startingBalance: 1 });
    const open = (where: string): Promise<Response> =>
      fetch(`${baseUrl}${where}`, { headers: { authorization: `Bearer ${key}` } });
    const watched = [await open('/api/stream'), await open('/api/stream/account')].map(eventBlocks);
    const trade = setInterval(() => {
      for (const sender of [key, poor.key]) {
        const body = { marketId: 'm', outcome: 'yes', price: 0.4, quantity: 3 };
        client.request('POST', '/api/orders', { key: sender, body }).catch(() => undefined);
      }
    }, 250);
    try {
      const dashboard = JSON.parse(readFileSync(path.join(root, 'infra/grafana/paper.json'), 'utf8')) as Dashboard;
      const expressions = expressionsOf(dashboard);
      expect(expressions.length).to.be.greaterThan(20);
      for (const expr of expressions) {
        await eventually(`data of ${expr}`, async () => (await series(expr)).length > 0);
      }
    } finally {
      clearInterval(trade);
      for (const blocks of watched) await blocks.leave();
    }
  });
});
