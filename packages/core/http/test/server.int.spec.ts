import { existsSync, mkdtempSync } from 'node:fs';
import { get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { startMetricsServer, startServer } from '../src/index.ts';
import type { ReadinessCheck } from '../src/index.ts';
import { createMetrics } from '@paper/runtime';
import { lastAnswer, sendBytes } from '@paper/testkit/http';
import { startSampleApp } from './sample-app.ts';

describe('stopping', () => {
  it('answers what is in flight, takes nothing new, and closes connections that are idle or were never used', async () => {
    const app = await startSampleApp();
    const unused = connect(app.port, '127.0.0.1');
    await once(unused, 'connect');
    const unusedClosed = once(unused, 'close');
    const idle = connect(app.port, '127.0.0.1');
    idle.write('GET /api/things/1 HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(idle, 'data');
    const idleClosed = once(idle, 'close');

    const inFlight = sendBytes(app.url, 'GET /api/fail/held HTTP/1.1\r\nHost: x\r\n\r\n');
    await app.arrived;
    const closed = app.close(60_000);
    await Promise.all([idleClosed, unusedClosed]);
    const refused = await fetch(`${app.url}/api/things/1`).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(TypeError);

    app.release();
    const answer = lastAnswer(await inFlight);
    expect(answer).to.deep.include({ status: 200, body: { held: true } });
    expect(answer.headers).to.include({ connection: 'close' });
    await closed;
    expect(app.close(0)).to.equal(app.close(0));
  });

  for (const [name, behind] of [
    ['', ''],
    [', also before a CONNECT, after which Node forgets the connection', 'CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n'],
  ] as const) {
    it(`cuts what is still unanswered after the grace${name}`, async () => {
      const app = await startSampleApp();
      const inFlight = sendBytes(app.url, `GET /api/fail/held HTTP/1.1\r\nHost: x\r\n\r\n${behind}`);
      await app.arrived;
      await app.close(10);
      expect(await inFlight).to.equal('');
    });
  }

  it('ends a server at a Unix socket too', async () => {
    const socketPath = path.join(mkdtempSync(path.join(tmpdir(), 'socket-')), 'a');
    const server = await startServer((_request, response) => response.end('here'), {
      ...{ host: '', port: 0, socket: socketPath },
    });
    expect(server.url).to.equal(`unix:${socketPath}`);
    const [answer] = (await once(get({ path: '/', socketPath }), 'response')) as [IncomingMessage];
    expect(await text(answer)).to.equal('here');
    await server.close(1_000);
    expect(existsSync(socketPath)).to.equal(false);
  });

  it('says so when it cannot listen', async () => {
    const app = await startSampleApp();
    const failure: unknown = await startSampleApp({ port: app.port }).catch((error: unknown) => error);
    await app.close(0);
    expect(failure).to.include({ code: 'EADDRINUSE' });
  });
});

describe('what is logged and measured of requests', () => {
  it('counts by route pattern, method and status, and logs no secret', async () => {
    const app = await startSampleApp();
    const headers = { authorization: 'Bearer svc_live_trader', cookie: 'session=abc', 'x-request-id': 'mine' };
    await fetch(`${app.url}/api/things/1?key=svc_live_viewer`, { headers });
    await fetch(`${app.url}/api/things/2`, { headers });
    await fetch(`${app.url}/api/fail/bug`, { headers });
    await fetch(`${app.url}/wp-login.php`, { headers });
    await fetch(`${app.url}/api/things/svc_live_trader`, { headers });
    await app.close(1_000);
    const { text } = await app.metrics.expose();
    expect(text).to.include('http_requests_total{route="/api/things/{id}",method="GET",status="200"} 3');
    expect(text).to.include('http_requests_total{route="none",method="GET",status="404"} 1');
    expect(text).to.include('http_request_duration_seconds_count{route="/api/fail/{id}",method="GET",status="500"} 1');

    const written = JSON.stringify(app.log);
    expect(written).not.to.match(/svc_live|session=abc/);
    const lines = app.log.map(({ level, path, status }) => ({ level, path, status }));
    expect(lines).to.deep.include({ level: 'debug', path: '/api/things/1', status: 200 });
    expect(lines).to.deep.include({ level: 'info', path: '/wp-login.php', status: 404 });
    expect(lines).to.deep.include({ level: 'debug', path: '/api/things/[secret]', status: 200 });
    expect(lines).to.deep.include({ level: 'error', path: '/api/fail/bug', status: 500 });
    const fault = app.log.find((line) => line['err'] !== undefined);
    expect(fault).to.include({ requestId: 'mine' });
    expect(JSON.stringify(fault)).to.include('secret detail of a bug');
  });

  it('logs a client that went away as 499', async () => {
    const app = await startSampleApp();
    const leaving = connect(app.port, '127.0.0.1');
    leaving.write('GET /api/fail/held HTTP/1.1\r\nHost: x\r\n\r\n');
    await app.arrived;
    leaving.resetAndDestroy();
    await once(leaving, 'close');
    await app.close(1_000);
    app.release();
    expect(app.log.find((line) => line['path'] === '/api/fail/held')).to.include({ status: 499 });
  });
});

describe('the metrics server', () => {
  it('serves metrics, liveness, and readiness with what is missing', async () => {
    const metrics = createMetrics(true);
    metrics.gauge('queue_depth', 'Commands waiting', { collect: (gauge) => gauge.set(3) });
    metrics.gauge('lag', 'By projection', { labels: ['name'] }).set({ name: 'books' }, 2);
    let journal: string | null = 'the journal cannot be reached';
    const checks: ReadinessCheck[] = [
      { name: 'always', check: async () => undefined },
      { name: 'journal', check: async () => (journal === null ? undefined : Promise.reject(new Error(journal))) },
    ];
    const server = await startMetricsServer({ metrics, checks, host: '127.0.0.1', port: 0 });
    const get = async (path: string) => {
      const answer = await fetch(server.url + path);
      return { status: answer.status, text: await answer.text() };
    };
    const page = await get('/metrics');
    expect(page.text)
      .to.include('queue_depth 3')
      .and.include('lag{name="books"} 2')
      .and.include('process_cpu_seconds_total');
    expect(await get('/health/live')).to.deep.equal({ status: 200, text: '{"live":true}' });
    expect(await get('/health/ready')).to.deep.equal({
      status: 503,
      text: '{"ready":false,"checks":{"always":"ok","journal":"the journal cannot be reached"}}',
    });
    // A 404 makes the load balancer keep the open connections of a process that is alive but not ready.
    expect((await get('/health/serving')).status).to.equal(404);
    journal = null;
    expect((await get('/health/ready?x')).status).to.equal(200);
    expect((await get('/health/serving')).status).to.equal(200);
    checks.push({ name: 'a part', forTraffic: false, check: () => Promise.reject(new Error('it is away')) });
    expect((await get('/health/ready')).status).to.equal(503);
    expect(await get('/health/serving')).to.deep.equal({
      status: 200,
      text: '{"ready":true,"checks":{"always":"ok","journal":"ok"}}',
    });
    expect((await get('/nothing')).status).to.equal(404);
    await server.close(0);
  });
});

describe('the probes at the port of users', () => {
  it('are a status word alone, and leave all else to the app', async () => {
    let journal: string | null = 'the journal cannot be reached';
    let asked = 0;
    const check = async (): Promise<void> => {
      asked += 1;
      if (journal !== null) throw new Error(journal);
    };
    const start = () =>
      startServer((_request, response) => response.end('the app'), {
        host: '127.0.0.1',
        port: 0,
        checks: [{ name: 'journal', check }],
      });
    const probe = async (url: string, path: string, method = 'GET') => {
      const answer = await fetch(url + path, { method });
      return [answer.status, await answer.text()];
    };
    const unready = await start();
    expect(await probe(unready.url, '/health/live')).to.deep.equal([200, '{"status":"live"}']);
    expect(await probe(unready.url, '/health/ready')).to.deep.equal([503, '{"status":"unready"}']);
    expect(await probe(unready.url, '/health/ready?x', 'HEAD')).to.deep.equal([503, '']);
    // Whoever asks often costs no more than one check a second.
    expect(asked).to.equal(1);
    for (const [path, method] of [
      ['/health/ready', 'POST'],
      ['/health/serving', 'GET'],
      ['/health', 'GET'],
    ] as const) {
      expect(await probe(unready.url, path, method), path).to.deep.equal([200, 'the app']);
    }
    await unready.close(0);

    journal = null;
    const ready = await start();
    expect(await probe(ready.url, '/health/ready')).to.deep.equal([200, '{"status":"ready"}']);
    await ready.close(0);
  });
});
