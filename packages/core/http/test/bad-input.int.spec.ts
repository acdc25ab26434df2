import { once } from 'node:events';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { expect } from 'chai';
import { badBytes, badRequests, lastAnswer, sendBadRequest, sendBytes } from '@paper/testkit/http';
import { createRateLimiter } from '../src/index.ts';
import { BATCH_BYTES_MAX, BODY_BYTES_MAX, OPERATOR_TOKEN, startSampleApp } from './sample-app.ts';
import type { SampleApp } from './sample-app.ts';

const SEED = 20_261_121;

describe('bad input', function () {
  this.timeout(60_000);
  let app: SampleApp;
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  before(async () => (app = await startSampleApp({ arrivalMs: 5_000 })));
  after(async () => {
    agent.destroy();
    await app.close(0);
  });

  const targets = [
    {
      requests: 800,
      method: 'POST',
      path: '/api/things',
      key: 'svc_live_trader',
      sample: { name: 'n', kind: 'b', amount: 0.5, count: 3, tags: ['x'] },
      required: ['name', 'amount', 'count'],
      maxBodyBytes: BODY_BYTES_MAX,
      idempotent: true,
      refused: [
        { field: 'kind', value: 'c' },
        { field: 'amount', value: 1 },
        { field: 'count', value: 1.5 },
        { field: 'name', value: '' },
      ],
    },
    {
      requests: 60,
      method: 'POST',
      path: '/api/operator/batch',
      key: OPERATOR_TOKEN,
      sample: { commands: [] },
      required: ['commands'],
      maxBodyBytes: BATCH_BYTES_MAX,
      idempotent: false,
    },
  ] as const;

  for (const { requests, ...target } of targets) {
    it(`${requests} generated requests to ${target.path}: the documented status and code, and nothing done`, async () => {
      const generated = badRequests(SEED, target);
      for (let index = 0; index < requests; index++) {
        const bad = generated.next().value;
        // The sample app's schema for this path accepts unknown fields, unlike the real batch's.
        if (target.path === '/api/operator/batch' && bad.name === 'unknown field') continue;
        const answer = await sendBadRequest(app.url, bad, agent);
        const told = `#${index} ${bad.name}: ${bad.body.subarray(0, 200).toString()} → ${JSON.stringify(answer.body)}`;
        expect(answer.status, told).to.equal(bad.status);
        expect(answer.body, told).to.have.all.keys('error', 'code');
        expect(answer.body, told).to.include({ code: bad.code });
        if (bad.status === 400) expect((answer.body as { error: string }).error).to.match(/^validation failure: .+: ./);
        expect(app.commands(), told).to.equal(0);
      }
    });
  }

  it('200 kinds of garbage on the socket are answered with {error, code} and the connection closed', async () => {
    const generated = badBytes(SEED, '/api/things');
    for (let index = 0; index < 200; index++) {
      const bad = generated.next().value;
      const said = await sendBytes(app.url, bad.bytes, { half: true });
      const answer = lastAnswer(said);
      expect(answer.status, `${bad.name}: ${said}`).to.equal(bad.status);
      expect(answer.body, bad.name).to.have.all.keys('error', 'code');
      expect(said.match(/HTTP\/1\.1 /g), bad.name).to.have.length(1);
    }
    expect(app.commands()).to.equal(0);
  });

  it('a body of which part never comes is refused when the client gives up, and nothing is done', async () => {
    const head =
      'POST /api/things HTTP/1.1\r\nHost: x\r\nX-Api-Key: svc_live_trader\r\nContent-Type: application/json\r\n';
    for (const rest of ['Content-Length: 100\r\n\r\n{"name":', 'Transfer-Encoding: chunked\r\n\r\n5\r\n{"na']) {
      const answer = lastAnswer(await sendBytes(app.url, head + rest, { half: true }));
      expect(answer.status).to.equal(400);
      expect(answer.body).to.include({ code: 'validation_failed' });
    }
    expect(app.commands()).to.equal(0);
  });

  it('a client that has closed its side still gets its answer', async () => {
    const socket = connect({ port: app.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.end('GET /api/fail/held HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'finish');
    await app.arrived;
    // The server sees our end no later than a request that we send after it.
    await fetch(`${app.url}/api/things/1`);
    app.release();
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    expect(lastAnswer(Buffer.concat(chunks).toString())).to.deep.include({ status: 200, body: { held: true } });
  });

  it('who sends all before it reads gets to know that it is too large, also on the last request of a connection', async () => {
    const length = BATCH_BYTES_MAX + 1024 * 1024;
    const socket = connect({ port: app.port, host: '127.0.0.1' });
    socket.pause();
    // The client's write fails, too.
    socket.on('error', () => undefined);
    socket.write(
      `POST /api/operator/batch HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${OPERATOR_TOKEN}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`,
    );
    // The server has seen these headers no later than a request that we send after them.
    await fetch(`${app.url}/api/things/1`);
    await new Promise<void>((resolve, reject) => {
      socket.write(Buffer.alloc(length, ' '), (error) => (error instanceof Error ? reject(error) : resolve()));
    });
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    expect(lastAnswer(Buffer.concat(chunks).toString())).to.include({ status: 413 });
  });

  it('garbage behind a good request comes after its answer', async () => {
    const said = await sendBytes(app.url, 'GET /api/things/1 HTTP/1.1\r\nHost: x\r\n\r\nnonsense\r\n\r\n');
    expect(said.match(/HTTP\/1\.1 \d+/g)).to.deep.equal(['HTTP/1.1 200', 'HTTP/1.1 400']);
  });

  it('CONNECT, an expectation and an upgrade are answered too', async () => {
    const connect = await sendBytes(app.url, 'CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(lastAnswer(connect)).to.deep.include({ status: 404, body: { error: 'No such route', code: 'not_found' } });
    for (const field of ['Expect: miracle', 'Connection: Upgrade, close\r\nUpgrade: websocket']) {
      const said = await sendBytes(app.url, `GET /api/things/1 HTTP/1.1\r\nHost: x\r\n${field}\r\n\r\n`, {
        half: true,
      });
      expect(lastAnswer(said).status, field).to.equal(200);
    }
  });

  it('targets of which no path can be read have no route, and are counted like all that have none', async () => {
    const limited = await startSampleApp({ rateLimiter: createRateLimiter({ readsPerSecond: 1, now: () => 0 }) });
    for (const [target, statuses] of [
      ['http://[', [404, 404, 429]],
      ['http://', [429]],
    ] as const) {
      for (const status of statuses) {
        const said = await sendBytes(limited.url, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
        expect(lastAnswer(said).status, target).to.equal(status);
      }
    }
    await limited.close(0);
    expect(limited.log.filter(({ level }) => level === 'error')).to.deep.equal([]);
  });

  it('CONNECT behind a good request is answered after it', async () => {
    const get = 'GET /api/mine HTTP/1.1\r\nHost: x\r\nX-Api-Key: svc_live_trader\r\n\r\n';
    const said = await sendBytes(app.url, `${get}CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(said.match(/HTTP\/1\.1 \d+/g)).to.deep.equal(['HTTP/1.1 200', 'HTTP/1.1 404']);
  });

  it('CONNECT of a client that resets its connection ends nothing else', async () => {
    const get = 'GET /api/mine HTTP/1.1\r\nHost: x\r\nX-Api-Key: svc_live_trader\r\n\r\n';
    for (const before of ['', get]) {
      for (let client = 0; client < 20; client += 1) {
        const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
        await once(socket, 'connect');
        socket.write(`${before}CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n`);
        socket.resetAndDestroy();
        await once(socket, 'close');
      }
    }
    expect((await fetch(`${app.url}/api/things/1`)).status).to.equal(200);
  });

  it('the service goes on serving, and no failure of its own is in the log', async () => {
    expect((await fetch(`${app.url}/api/things/1`)).status).to.equal(200);
    expect(app.log.filter(({ level }) => level === 'error' || level === 'fatal')).to.deep.equal([]);
  });
});

describe('slow input', () => {
  let app: SampleApp;
  before(async () => (app = await startSampleApp({ arrivalMs: 100 })));
  after(() => app.close(0));

  const head =
    'POST /api/things HTTP/1.1\r\nHost: x\r\nX-Api-Key: svc_live_trader\r\nContent-Type: application/json\r\n';
  for (const [name, bytes] of [
    ['nothing at all', ''],
    ['headers that do not end', head],
    ['a body that does not end', `${head}Content-Length: 100\r\n\r\n{"name":`],
    ['chunks that do not end', `${head}Transfer-Encoding: chunked\r\n\r\n5\r\n{"nam\r\n`],
  ] as const) {
    it(`${name}: 408`, async () => {
      const said = await sendBytes(app.url, bytes);
      expect(lastAnswer(said).status, said).to.equal(408);
      expect(lastAnswer(said).body).to.include({ code: 'request_timeout' });
      // Without its headers a request has no path yet, and no browser sends one like that.
      const isRequest = bytes.includes('\r\n\r\n');
      expect(lastAnswer(said).headers['access-control-allow-origin'], said).to.equal(isRequest ? '*' : undefined);
    });
  }

  it('the two that were requests are counted, and are one line of the log', async () => {
    expect(app.log.map(({ path, status }) => ({ path, status }))).to.deep.equal([{ path: '/api/things', status: 408 }]);
    const { text } = await app.metrics.expose();
    expect(text).to.match(/^http_requests_total\{route="\/api\/things",method="POST",status="408"\} 2$/m);
  });

  it('a refused request whose body does not end is answered at once, then its connection ended', async () => {
    const said = await sendBytes(app.url, `POST /api/nothing HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{`);
    expect(lastAnswer(said).status).to.equal(404);
    expect(said.match(/HTTP\/1\.1 /g)).to.have.length(1);
  });
});
