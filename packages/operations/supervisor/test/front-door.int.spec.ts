import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { isInstalled } from '@paper/runtime';
import { eventually } from '@paper/testkit';
import { expect } from 'chai';
import { startFrontDoor } from '../src/index.ts';
import type { FrontDoor } from '../src/index.ts';

/**
 * A service that answers with its name; /slow never answers, and /owed answers at the request of /pay. SIGUSR2
 * switches whether it leads.
 */
const COMMAND_API = `
  const http = require('node:http');
  let leads = process.argv[1] === 'one';
  let owed = () => undefined;
  process.on('SIGUSR2', () => (leads = !leads));
  const listen = (handler) => new Promise((resolve) => {
    const server = http.createServer(handler).listen(0, '127.0.0.1', () => resolve(server.address().port));
  });
  Promise.all([
    listen((request, response) => {
      if (request.url === '/owed') owed = () => response.end('owed by ' + process.argv[1]);
      else if (request.url !== '/slow') response.end(process.argv[1]);
      if (request.url === '/pay') owed();
    }),
    listen((request, response) => response.writeHead(request.url === '/health/serving' && !leads ? 404 : 200).end()),
  ]).then((ports) => console.log(ports.join(' ')));
`;

async function startCommandApi(name: string) {
  const child = spawn(process.execPath, ['-e', COMMAND_API, name], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const [port, operationPort] = line.split(' ');
  return {
    name: 'command-api' as const,
    child,
    url: `http://127.0.0.1:${port}`,
    operationUrl: `http://127.0.0.1:${operationPort}`,
  };
}

(isInstalled('haproxy') ? describe : describe.skip)('the front door before command APIs', function () {
  this.timeout(60_000);
  const children: ChildProcess[] = [];
  let folder: string;
  let door: FrontDoor;
  let one: Awaited<ReturnType<typeof startCommandApi>>;
  let two: Awaited<ReturnType<typeof startCommandApi>>;

  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'paper-front-door-test-'));
    [one, two] = [await startCommandApi('one'), await startCommandApi('two')];
    children.push(one.child, two.child);
    const reads = await startCommandApi('reads');
    const pages = await startCommandApi('pages');
    const agents = await startCommandApi('agents');
    const played = await startCommandApi('played');
    children.push(reads.child, pages.child, agents.child, played.child);
    const others = [
      { ...reads, name: 'query-api' as const },
      { ...one, name: 'stream-gateway' as const },
      { ...pages, name: 'portal' as const },
      { ...agents, name: 'mcp' as const },
      { ...played, name: 'backtests' as const },
    ];
    door = await startFrontDoor([one, two, ...others], { folder });
    // Wait until HAProxy has checked both, and sends to the leader only.
    for (let inARow = 0; inARow < 4;) inARow = (await leader()) === 'one' ? inARow + 1 : 0;
  });
  afterEach(async () => {
    await door.stop();
    for (const child of children.splice(0)) child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });

  const post = (where: string): Promise<Response> => fetch(`${door.url}${where}`, { method: 'POST' });
  const leader = async (): Promise<string> => (await post('/api/orders')).text();

  it('sends what changes something to the leader, and reads to the query API', async () => {
    const answerer = async (method: string, where: string) => (await fetch(`${door.url}${where}`, { method })).text();
    const changing = [
      ['POST', '/api/orders/batch'],
      ['PUT', '/api/dead-man-switch'],
      ['PUT', '/api/accounts/keys/k/mandate'],
      ['PATCH', '/api/orders/o'],
      ['DELETE', '/api/orders?side=buy'],
    ] as const;
    for (const [method, where] of changing) expect(await answerer(method, where), where).to.equal('one');
    for (const where of ['/api/orders', '/api/orders/o', '/api/orders/client/c', '/api/dead-man-switch', '/api/me']) {
      expect(await answerer('GET', where), where).to.equal('reads');
    }
  });

  it("sends the portal's pages, files and calls to the portal, and those of the API's pages to the query API", async () => {
    const answerer = async (method: string, where: string) => (await fetch(`${door.url}${where}`, { method })).text();
    const pages = ['/', '/markets/m', '/market?id=m', '/portfolio', '/portfolio/a', '/sign-in', '/confirm?token=t'];
    for (const where of [...pages, '/assets/main-0.js', '/portal/session', '/portal/as/me/stream/account']) {
      expect(await answerer('GET', where), where).to.equal('pages');
    }
    expect(await answerer('POST', '/portal/as/me/orders')).to.equal('pages');
    for (const where of ['/api/docs', '/api/docs/docs.mjs', '/docs/format', '/demo-signal', '/verify-journal.mjs']) {
      expect(await answerer('GET', where), where).to.equal('reads');
    }
  });

  it('sends what agents send to their door', async () => {
    const answerer = async (method: string, where: string) => (await fetch(`${door.url}${where}`, { method })).text();
    for (const method of ['POST', 'GET', 'DELETE']) expect(await answerer(method, '/mcp'), method).to.equal('agents');
    expect(await answerer('GET', '/mcp/other')).to.equal('reads');
    // pmxt's packages come to the same door.
    for (const method of ['POST', 'GET']) {
      expect(await answerer(method, '/pmxt/api/paper/fetchMarkets'), method).to.equal('agents');
    }
  });

  it('sends tapes, backtests and all that is below one to their service, also what changes something', async () => {
    const asked = [
      ['GET', '/api/tapes'],
      ['POST', '/api/backtests'],
      ['DELETE', '/api/backtests/b'],
      ['GET', '/api/backtests/b/report?partial=true'],
      ['POST', '/backtest/secret/api/orders'],
      ['GET', '/backtest/secret/api/stream'],
    ] as const;
    const headers = { accept: 'text/html' };
    for (const [method, where] of asked) {
      expect(await (await fetch(`${door.url}${where}`, { method, headers })).text(), where).to.equal('played');
    }
    // The pages of them are the portal's.
    for (const where of ['/backtests', '/backtests/b']) {
      expect(await (await fetch(`${door.url}${where}`, { headers })).text(), where).to.equal('pages');
    }
  });

  it('serves its metrics at an address of their own, and nothing else there', async () => {
    const metrics = await fetch(door.metricsUrl);
    expect(await metrics.text()).to.match(/^haproxy_frontend_status\{proxy="api",state="UP"\} 1$/m);
    expect((await fetch(new URL('/api/markets', door.metricsUrl))).status).to.equal(404);
    expect(await (await fetch(`${door.url}/metrics`)).text()).to.equal('reads');
  });

  it('has probes of all of it, which are a status word alone', async () => {
    const probe = async (path: string): Promise<readonly [number, unknown]> => {
      const answer = await fetch(`${door.url}${path}`);
      return [answer.status, await answer.json()];
    };
    expect(await probe('/health/live')).to.deep.equal([200, { status: 'live' }]);
    expect(await probe('/health/ready')).to.deep.equal([200, { status: 'ready' }]);
    // Nobody leads, so no process takes commands.
    one.child.kill('SIGUSR2');
    await eventually('the front door sees that', async () => (await probe('/health/ready'))[0] === 503);
    expect(await probe('/health/ready')).to.deep.equal([503, { status: 'unready' }]);
    expect(await probe('/health/live')).to.deep.equal([200, { status: 'live' }]);
  });

  it('lets a former leader send its pending answers', async () => {
    const owed = post('/owed').then((answer) => answer.text());
    expect(await leader()).to.equal('one');
    one.child.kill('SIGUSR2');
    two.child.kill('SIGUSR2');
    while ((await leader()) !== 'two') await sleep(50);
    await fetch(`${one.url}/pay`);
    expect(await owed).to.equal('owed by one');
  });

  it('cuts the clients of one that is frozen after 3 s and not after 15, and goes to the one that leads then', async () => {
    const waiting = post('/slow').then(
      ({ status }) => status,
      () => 'cut',
    );
    // The slow request has arrived: a later one on the same connection is answered.
    expect(await leader()).to.equal('one');
    one.child.kill('SIGSTOP');
    two.child.kill('SIGUSR2');
    const frozenMs = performance.now();
    // On a reused connection the client sees the connection end, and may repeat the request with its Idempotency-Key.
    expect([503, 'cut']).to.include(await waiting);
    const cutAfterMs = performance.now() - frozenMs;
    // Two checks of a second, and the delay of a busy machine; a slow answer would be waited for 15 s.
    expect(cutAfterMs).to.be.within(1_000, 6_000);
    while ((await leader()) !== 'two') await sleep(50);
  });

  it('lets pages of other origins read its own errors, but those of operators', async () => {
    const allowed = ({ status, headers }: Response) => [
      status,
      headers.get('access-control-allow-origin'),
      headers.get('access-control-expose-headers'),
    ];
    for (const child of children) {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    }
    expect(allowed(await post('/api/orders'))).to.deep.equal([503, '*', 'Retry-After']);
    expect(allowed(await fetch(`${door.url}/api/markets`))).to.deep.equal([503, '*', 'Retry-After']);
    expect(allowed(await post('/api/operator/batch'))).to.deep.equal([503, null, null]);
    expect(allowed(await fetch(`${door.url}/market`))).to.deep.equal([503, null, null]);
  });
});
