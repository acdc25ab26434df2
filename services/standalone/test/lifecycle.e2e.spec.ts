import { expect } from 'chai';
import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { FleetKeyBody } from '@paper/contracts/accounts';
import type { MarketBody } from '@paper/contracts/markets';
import type { OrderBody } from '@paper/contracts/orders';
import type { OperatorStatusBody } from '@paper/contracts/service';
import { isInstalled } from '@paper/runtime';
import { eventually, longTest, testDatabase } from '@paper/testkit';
import { startStandalone, temporaryDataDir } from '@paper/testkit/exchange';
import type { RunningStandalone, ServiceFile } from '@paper/testkit/exchange';
import { sendDocumentedExamples } from './documented-examples.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../../..');

describe('the life of a standalone', function () {
  this.timeout(120_000);
  const folder = temporaryDataDir();
  const { dataDir } = folder;
  const started: ChildProcess[] = [];

  const start = async (env: Record<string, string> = {}): Promise<RunningStandalone> => {
    const service = await startStandalone({ dataDir, env: { DEMO: 'on', HOUSE_BOTS: 'on', ...env } });
    started.push(service.child);
    return service;
  };

  afterEach(() => {
    for (const child of started.splice(0)) child.kill('SIGKILL');
  });
  after(() => folder.remove());

  it('fills the printed order and the documented ones, and stops within 5 s of Ctrl-C without a trace', async () => {
    const service = await start();
    await eventually('the service says how it is stopped', () => service.output().includes('Ctrl-C stops it.'));
    const [curl] = /^ {2}curl (?:.*\\\n)*.*$/m.exec(service.output()) ?? [''];
    const { stdout } = await run('sh', ['-c', curl]);
    expect(JSON.parse(stdout)).to.include({ status: 'filled', filledQty: 10, userId: service.demo?.accountId });
    for (const file of ['service.json', 'keys.json', 'operator-token', 'postgres.json']) {
      expect(statSync(join(dataDir, file)).mode & 0o777, file).to.equal(0o600);
    }
    const markets = await get<MarketBody[]>(service, '/api/markets?limit=500');
    expect(markets.length).to.be.at.least(24);
    expect(new Set(markets.map(({ sector }) => sector)).size).to.be.at.least(6);
    expect(await get<unknown>(service, '/api/health')).to.include({ status: 'ok', database: 'ok' });
    for (const [path, status] of Object.entries({ '/health/live': 'live', '/health/ready': 'ready' })) {
      expect(await get<unknown>(service, path)).to.deep.equal({ status });
    }
    expect((await fetch(service.metricsUrl)).status).to.equal(200);
    expect((await fetch(service.metricsUrl.replace('/metrics', '/health/ready'))).status).to.equal(200);

    // Every example of the OpenAPI document works as it is written.
    expect(await sendDocumentedExamples(service)).to.include.members(['getMarket', 'readJournal', 'placeOrder']);

    // A stop that takes too long ends with exit code 1.
    expect(await service.stop('SIGINT')).to.equal(0);
    for (const file of ['service.json', 'postgres.json', 'postgres.lock', 'standalone.lock']) {
      expect(existsSync(join(dataDir, file)), file).to.equal(false);
    }
  });

  it('loses no acknowledged command when it is killed under load, and issues no new key', async () => {
    const first = await start();
    const { apiKey = '' } = first.demo ?? {};
    const epoch = await epochOf(first);
    // The last process noted, when it stopped, that this key was used.
    const { keys } = await get<{ keys: FleetKeyBody[] }>(first, '/api/accounts/keys', apiKey);
    expect(keys.some(({ lastUsedOn }) => Date.now() - Date.parse(lastUsedOn ?? '') < 2 * 86_400_000)).to.equal(true);
    const [market] = await get<MarketBody[]>(first, '/api/markets?limit=1');
    const answered: string[] = [];
    const client = async (): Promise<void> => {
      for (;;) {
        const order = { marketId: market?.id, outcome: 'yes', price: 0.01, quantity: 1 };
        const response = await send(first, apiKey, '/api/orders', order).catch(() => null);
        if (response === null) return;
        // 429 is an answer too, but it acknowledges nothing that could be lost.
        if (response.status === 200) answered.push(((await response.json()) as OrderBody).id);
      }
    };
    const clients = Array.from({ length: 8 }, client);
    await eventually('50 answers', () => answered.length >= 50);
    await first.stop('SIGKILL');
    await Promise.all(clients);

    const second = await start();
    expect(second.demo).to.deep.equal(first.demo);
    expect(second.operatorToken).to.equal(first.operatorToken);
    const orders = await get<OrderBody[]>(second, `/api/orders?limit=500&marketId=${market?.id}`, apiKey);
    expect(orders.map(({ id }) => id)).to.include.members(answered);
    expect(await epochOf(second)).to.equal(epoch + 1);
    await second.stop();
  });

  it('gives the same accounts new keys when keys.json was lost', async function () {
    longTest(this);
    const first = await start({ HOUSE_BOTS: 'off' });
    await first.stop();
    rmSync(join(dataDir, 'keys.json'));
    const second = await start({ HOUSE_BOTS: 'off' });
    expect(second.demo?.accountId).to.equal(first.demo?.accountId);
    expect(second.demo?.apiKey).to.not.equal(first.demo?.apiKey);
    expect(await get<unknown>(second, '/api/portfolio', second.demo?.apiKey)).to.be.an('object');
    expect(await get<unknown>(second, '/api/portfolio', first.demo?.apiKey)).to.be.an('object');
    await second.stop();
  });

  it('replaces a kept key that does not work', async function () {
    longTest(this);
    const first = await start({ HOUSE_BOTS: 'off' });
    const { apiKey = '', accountId = '' } = first.demo ?? {};
    const keysFile = join(dataDir, 'keys.json');
    // Simulates that the stored key was revoked.
    const kept = JSON.parse(readFileSync(keysFile, 'utf8')) as Record<string, object>;
    await first.stop();
    writeFileSync(keysFile, JSON.stringify({ ...kept, demo: { accountId, apiKey: `svc_live_${'x'.repeat(43)}` } }));
    const second = await start({ HOUSE_BOTS: 'off' });
    expect(second.demo?.accountId).to.equal(accountId);
    expect(await get<unknown>(second, '/api/portfolio', second.demo?.apiKey)).to.be.an('object');
    expect(second.demo?.apiKey).to.not.equal(apiKey);
    await second.stop();
  });

  it('says why it ends: its folder is in use, its port taken, no database there, a setting wrong', async function () {
    longTest(this);
    const first = await start({ DEMO: 'off', HOUSE_BOTS: 'off', LOG_LEVEL: 'fatal' });
    const sameFolder = await failure(start({ DEMO: 'off' }));
    expect(sameFolder).to.include(`pid ${first.pid}`).and.to.include(dataDir).and.to.include('ended (2)');
    expect(JSON.parse(readFileSync(join(dataDir, 'service.json'), 'utf8'))).to.include({ pid: first.pid });

    await first.stop();

    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const none = join(dataDir, 'none');
    expect(await failure(start({ DATA_DIR: none, PORT: String(port) })))
      .to.include(`Port ${port} of 127.0.0.1 is taken`)
      .and.include('ended (2)');
    expect(existsSync(none)).to.equal(false);
    taken.close();
    const nowhere = 'postgresql://nobody@127.0.0.1:1/none';
    expect(await failure(start({ DATABASE_URL: nowhere }))).to.include('The database cannot be used (DATABASE_URL)');
    expect(await failure(start({ PORT: 'http' })))
      .to.include('PORT: must be a whole number')
      .and.include('ended (2)');
  });

  it('runs on a database of one’s own, and its house quotes the markets that are named', async function () {
    longTest(this);
    const database = await testDatabase();
    const own = temporaryDataDir();
    try {
      const service = await startStandalone({
        dataDir: own.dataDir,
        env: { DATABASE_URL: database.connectionString, HOUSE_BOTS: 'on', HOUSE_MARKETS: 'elsewhere,later' },
      });
      started.push(service.child);
      const listing = await send(service, service.operatorToken, '/api/operator/markets', {
        id: 'later',
        title: 'Will it be quoted?',
        ticker: 'LTR',
        companySlug: 'later',
        sector: 'technology',
        category: 'tests',
        settlementSource: 'tests',
        prior: 0.3,
        tickSize: 0.01,
        closesAt: '2099-01-01T00:00:00.000Z',
      });
      expect(listing.status).to.equal(200);
      const quoted = (): Promise<MarketBody[]> =>
        get<MarketBody[]>(service, '/api/markets').then((markets) =>
          markets.filter(({ bestYesBid, bestYesAsk }) => bestYesBid !== null && bestYesAsk !== null),
        );
      let [market] = await quoted();
      while (market === undefined) {
        await sleep(20);
        [market] = await quoted();
      }
      expect(market.bestYesBid).to.be.below(0.3).and.above(0.2);
      expect(market.bestYesAsk).to.be.above(0.3).and.below(0.4);
      expect(existsSync(join(own.dataDir, 'postgres'))).to.equal(false);
      expect(await service.stop()).to.equal(0);
    } finally {
      await database.close();
      own.remove();
    }
  });

  it('leaves no lock behind when a person does not wait for its stop', async () => {
    const service = await start({ DEMO: 'off', HOUSE_BOTS: 'off' });
    const postgres = Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
    // The database does not end, so the stop of the whole is cut: by a further signal, or at its limit.
    process.kill(postgres, 'SIGSTOP');
    try {
      const ended = once(service.child, 'exit');
      await eventually('it has ended', () => !service.child.kill('SIGINT') || service.child.exitCode !== null);
      await ended;
    } finally {
      process.kill(postgres, 'SIGCONT');
    }
    expect([130, 1]).to.include(service.child.exitCode);
    for (const file of ['service.json', 'standalone.lock']) {
      expect(existsSync(join(dataDir, file)), file).to.equal(false);
    }
  });

  for (const [signal, expected] of [
    ['SIGINT', 0],
    ['SIGTERM', 0],
    ['SIGKILL', 128 + 9],
  ] as const) {
    it(`leaves nothing behind when the npm of a terminal gets ${signal}`, async function () {
      if (signal !== 'SIGKILL') longTest(this);
      if (!isInstalled('script')) this.skip();
      // util-linux makes the terminal. As people start it: the other starts are of the program that the tests' run built.
      const npm = 'exec npm start -- --port=0 --demo off';
      const terminal = spawn('script', ['--quiet', '--return', '--command', npm, '/dev/null'], {
        cwd: root,
        env: { ...process.env, DATA_DIR: dataDir, PAPER_BUILT: '' },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      started.push(terminal);
      for await (const line of createInterface({ input: terminal.stdout })) if (line.includes('Ready at ')) break;
      const { pid, baseUrl } = JSON.parse(readFileSync(join(dataDir, 'service.json'), 'utf8')) as ServiceFile;
      const { stdout: npmPid } = await run('ps', ['-o', 'ppid=', '-p', String(pid)]);
      process.kill(Number(npmPid), signal);
      const [code] = (await once(terminal, 'exit')) as [number | null];
      expect(code).to.equal(expected);
      await eventually(
        'the process and its lock are gone',
        () => !existsSync(`/proc/${pid}`) && !existsSync(join(dataDir, 'standalone.lock')),
      );
      expect(await fetch(baseUrl).catch(() => null)).to.equal(null);
      expect(existsSync(join(dataDir, 'service.json'))).to.equal(false);
    });
  }
});

const send = (service: ServiceFile, key: string, path: string, body: unknown): Promise<Response> =>
  fetch(`${service.baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

async function get<T>(service: ServiceFile, path: string, key?: string): Promise<T> {
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const response = await fetch(`${service.baseUrl}${path}`, { headers });
  expect(response.status, path).to.equal(200);
  return (await response.json()) as T;
}

const epochOf = async (service: ServiceFile): Promise<number> =>
  (await get<OperatorStatusBody>(service, '/api/operator/status', service.operatorToken)).epoch;

async function failure(starting: Promise<RunningStandalone>): Promise<string> {
  const error = await starting.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).to.be.an('error');
  return (error as Error).message;
}
