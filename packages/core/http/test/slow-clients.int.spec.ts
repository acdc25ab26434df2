import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { expect } from 'chai';
import { z } from 'zod';
import { defineEndpoint } from '@paper/contracts';
import { eventually } from '@paper/testkit';
import { route } from '../src/index.ts';
import { createMetrics } from '@paper/runtime';
import type { Metrics } from '@paper/runtime';
import { startSampleApp } from './sample-app.ts';
import type { SampleApp } from './sample-app.ts';

/** A limit longer than any delay that a busy machine causes for the other clients. */
const LIMIT_MS = 1_000;
const EACH = 60;
const GET = 'GET /api/big HTTP/1.1\r\nHost: x\r\n\r\n';
const POST =
  'POST /api/things HTTP/1.1\r\nHost: x\r\nX-Api-Key: svc_live_trader\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n\r\n';

/** A body larger than the socket buffers of both sides. */
const BIG = Buffer.alloc(32 * 1024 * 1024, 'x');
const READY = { bytes: BIG, etag: 'x' };
const big = {
  id: 'getBig',
  ...defineEndpoint({
    path: '/api/big',
    tag: 'sample',
    summary: '',
    description: '',
    auth: 'public',
    answer: z.unknown(),
  }),
};
const bigRoute = route(
  big,
  () => ({ preSerialized: READY, seq: 1 }),
  () => Promise.resolve(null),
);

/** Slow clients of every kind at once, at a server whose limits are short. */
describe('slow clients', function () {
  this.timeout(60_000);
  let app: SampleApp;
  let metrics: Metrics;
  const sockets: Socket[] = [];
  const connections = async (): Promise<number> =>
    Number(/^http_connections (\d+)$/m.exec((await metrics.expose()).text)?.[1]);

  beforeEach(async () => {
    const plain = await startSampleApp();
    await plain.close(0);
    metrics = createMetrics();
    app = await startSampleApp({
      metrics,
      routes: [...plain.routes, bigRoute],
      arrivalMs: LIMIT_MS,
      deliveryMs: LIMIT_MS,
      validateAnswers: false,
    });
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await app.close(0);
  });

  /** A client that ends when the server ends it; `closed` resolves then. */
  async function client(begin: (socket: Socket) => void) {
    const socket = connect(app.port, '127.0.0.1');
    sockets.push(socket);
    // A reset is an end like any other.
    socket.on('error', () => undefined);
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    await once(socket, 'connect');
    begin(socket);
    return { closed };
  }

  /** Sends one byte after the other until the socket closes. */
  function drip(socket: Socket, text: string): void {
    let at = 0;
    const timer = setInterval(() => socket.write(text.charAt(at++ % text.length)), LIMIT_MS / 20);
    socket.once('close', () => clearInterval(timer));
    socket.resume();
  }

  const KINDS: Readonly<Record<string, (socket: Socket) => void>> = {
    'say nothing': (socket) => socket.resume(),
    'drip headers': (socket) => {
      socket.write('GET /api/things/1 HTTP/1.1\r\n');
      drip(socket, 'X-A: b\r\n');
    },
    'drip a body': (socket) => {
      socket.write(POST);
      drip(socket, ' ');
    },
    'read nothing of a big answer': (socket) => {
      socket.write(GET);
      socket.pause();
    },
    'ask on and on, and read nothing': (socket) => {
      socket.write(GET.repeat(50));
      socket.pause();
    },
  };

  for (const [name, begin] of Object.entries(KINDS)) {
    it(`that ${name} are ended, and the others are served meanwhile`, async () => {
      const clients = await Promise.all(Array.from({ length: EACH }, () => client(begin)));
      const othersAreServed = async (): Promise<void> => {
        const answer = await fetch(`${app.url}/api/things/1`, { headers: { connection: 'close' } });
        expect(await answer.json()).to.deep.equal({ id: '1' });
      };
      const areEnded = async (): Promise<boolean> => {
        await othersAreServed();
        return (await connections()) === 0;
      };
      await eventually('the slow clients are ended', areEnded, { everyMs: LIMIT_MS / 20 });
      // The clients that did not read notice now that their connection was closed.
      for (const socket of sockets) socket.resume();
      await Promise.all(clients.map(({ closed }) => closed));
      expect(app.commands()).to.equal(0);
    });
  }

  it('that leave while answers wait for their turn leave nothing behind', async () => {
    await app.close(0);
    app = await startSampleApp();
    const socket = connect(app.port, '127.0.0.1');
    const asked = ['/api/fail/held', '/api/things/1', '/api/things/2'];
    socket.write(asked.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
    await app.arrived;
    socket.resetAndDestroy();
    // Resolves when no answer is left, in flight or waiting.
    await app.close(60_000);
    app.release();
    const { text } = await app.metrics.expose();
    const left = [...text.matchAll(/^http_requests_total\{.*status="499"\} (\d+)$/gm)];
    expect(left.reduce((sum, [, count]) => sum + Number(count), 0)).to.equal(asked.length);
  });

  it('have no more connections than there may be: one more is refused, until another ends', async () => {
    await app.close(0);
    metrics = createMetrics();
    app = await startSampleApp({ connectionsMax: 2, metrics });
    const first = await client((socket) => socket.resume());
    await client((socket) => socket.resume());
    const refused = await client((socket) => socket.resume());
    await refused.closed;
    expect(await connections()).to.equal(2);
    expect((await metrics.expose()).text).to.include('http_connections_refused_total 1');
    sockets[0]?.destroy();
    await first.closed;
    for (;;) {
      const answer = await fetch(`${app.url}/api/things/1`, { headers: { connection: 'close' } }).catch(() => null);
      if (answer?.status === 200) break;
    }
  });
});
