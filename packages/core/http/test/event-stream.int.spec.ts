import { EventEmitter, once } from 'node:events';
import { connect, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { ApiError, defineEndpoint } from '@paper/contracts';
import { lastAnswer, sendBytes } from '@paper/testkit/http';
import { expect } from 'chai';
import { z } from 'zod';
import { beginStream, createRateLimiter, route, streamRoute } from '../src/index.ts';
import type { Call, EventStream } from '../src/index.ts';
import { startSampleApp } from './sample-app.ts';
import type { SampleApp } from './sample-app.ts';

const endpoint = {
  id: 'watch',
  ...defineEndpoint({
    path: '/api/watch',
    tag: 'sample',
    summary: '',
    description: '',
    auth: 'public',
    streams: true,
    query: z.object({ refuse: z.enum(['yes', 'no']).default('no') }),
    answer: z.unknown(),
  }),
};

const FIRST = Buffer.from('data: first\n\n');

/** A stream goes through the same pipeline as every other answer, and then stays open. */
describe('streams of events', () => {
  let app: SampleApp;
  let opened: { readonly stream: EventStream; readonly closed: Promise<void> }[] = [];

  const watch = streamRoute(
    endpoint,
    async (_caller, { query }, begin) => {
      if (query.refuse === 'yes') throw new ApiError('market_not_found', 'No such market');
      let close = (): void => undefined;
      const closed = new Promise<void>((resolve) => (close = resolve));
      opened.push({ stream: begin(7, FIRST, close), closed });
    },
    async () => null,
  );

  beforeEach(async () => {
    opened = [];
    app = await startSampleApp({ routes: [watch] });
  });
  afterEach(() => app.close(0));

  const only = () => {
    if (opened[0] === undefined) throw new Error('no stream was opened');
    return opened[0];
  };

  it('begin with their head and first bytes, go on with what is written, and end cleanly', async () => {
    const answer = await fetch(`${app.url}/api/watch`, { headers: { 'accept-encoding': 'gzip, br' } });
    expect(Object.fromEntries(answer.headers)).to.include({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-journal-seq': '7',
    });
    const { stream, closed } = only();
    stream.write(Buffer.from('data: second\n\n'));
    stream.end();
    stream.write(Buffer.from('data: too late\n\n'));
    expect(await answer.text()).to.equal('data: first\n\ndata: second\n\n');
    await closed;
  });

  it('refuse before they begin, like every endpoint', async () => {
    const refused = await fetch(`${app.url}/api/watch?refuse=yes`);
    expect([refused.status, await refused.json()]).to.deep.equal([
      404,
      { error: 'No such market', code: 'market_not_found' },
    ]);
    expect((await fetch(`${app.url}/api/watch?refuse=maybe`)).status).to.equal(400);
    const posted = await fetch(`${app.url}/api/watch`, { method: 'POST' });
    expect([posted.status, posted.headers.get('allow')]).to.deep.equal([405, 'GET, HEAD']);
    expect(opened).to.deep.equal([]);
  });

  it('count as reads', async () => {
    const limited = await startSampleApp({
      routes: [watch],
      rateLimiter: createRateLimiter({ readsPerSecond: 1, now: () => 0 }),
    });
    const answers = await Promise.all([1, 2, 3].map(() => fetch(`${limited.url}/api/watch`)));
    await limited.close(0);
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 200, 429]);
  });

  it('answer HEAD with their head alone', async () => {
    const said = await sendBytes(app.url, 'HEAD /api/watch HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(lastAnswer(said)).to.include({ status: 200 });
    expect(said).not.to.include('first');
    await only().closed;
  });

  it('end when the client closes its side, though the other is still open', async () => {
    const said = await sendBytes(app.url, 'GET /api/watch HTTP/1.1\r\nHost: x\r\n\r\n', { half: true });
    expect(said.endsWith('\r\n\r\ndata: first\n\n')).to.equal(true);
    await only().closed;
  });

  it('tell that a client has gone, and what one has not read', async () => {
    const gone = connect(app.port, '127.0.0.1');
    gone.write('GET /api/watch HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(gone, 'data');
    gone.pause();
    const { stream, closed } = only();
    expect(stream.buffered).to.equal(0);
    const megabyte = Buffer.alloc(1 << 20, ':');
    for (let n = 0; n < 32; n += 1) stream.write(megabyte);
    expect(stream.buffered).to.be.greaterThan(1 << 20);
    gone.resetAndDestroy();
    await closed;
    stream.write(megabyte);
  });

  it('tell that a client has gone also where they wait for another on its connection', async () => {
    const leaving = connect(app.port, '127.0.0.1');
    leaving.write('GET /api/watch HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(3));
    while (opened.length < 3) await setImmediate();
    leaving.resetAndDestroy();
    await Promise.all(opened.map(({ closed }) => closed));
  });

  it('are over at once behind another stream of their connection, whose bytes go on', async () => {
    const watcher = connect(app.port, '127.0.0.1');
    watcher.write('GET /api/watch HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(3));
    while (opened.length < 3) await setImmediate();
    const [first, ...behind] = opened;
    await Promise.all(behind.map(({ closed }) => closed));
    for (const { stream } of behind) stream.write(Buffer.alloc(1 << 20, ':'));
    expect(behind.map(({ stream }) => stream.buffered)).to.deep.equal([0, 0]);
    first?.stream.write(Buffer.from('data: second\n\n'));
    first?.stream.end();
    const said = await text(watcher);
    expect(said.endsWith('\r\n\r\ndata: first\n\ndata: second\n\n')).to.equal(true);
  });

  it('that begin after they were refused, behind an answer that nobody has read, are over', async () => {
    let closes = 0;
    const refused = {
      request: { socket: new Socket() },
      response: Object.assign(new EventEmitter(), { closed: false, headersSent: true, socket: null }),
      startedMs: 0,
    } as unknown as Call;
    const stream = beginStream(refused)(7, FIRST, () => (closes += 1));
    await setImmediate();
    stream.write(FIRST);
    expect([closes, refused.response.listenerCount('close')]).to.deep.equal([1, 0]);
  });

  it('keep nothing of the bytes behind them that are no request', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => warnings.push(warning);
    process.on('warning', note);
    const watcher = connect(app.port, '127.0.0.1').setNoDelay();
    watcher.write('GET /api/watch HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(watcher, 'readable');
    for (let n = 0; n < 50; n += 1) {
      watcher.write('?');
      // Until the server has read it.
      for (let turn = 0; turn < 3; turn += 1) await setImmediate();
    }
    only().stream.end();
    const said = await text(watcher);
    process.off('warning', note);
    expect(said.match(/HTTP\/1\.1 \d+/g)).to.deep.equal(['HTTP/1.1 200']);
    // A listener for each of the bytes would be one of too many.
    expect(warnings).to.deep.equal([]);
  });

  /** A route that answers only when `release` is called. */
  const holdingRoute = () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const slow = route(
      { ...endpoint, id: 'slow', path: '/api/slow', query: null, streams: false },
      async () => {
        await held;
        return { body: 'slow', seq: 1 };
      },
      async () => null,
    );
    return { slow, release: () => release() };
  };

  it('can be cut also while they wait for the answer before them, and keep no bytes then', async () => {
    const { release, slow } = holdingRoute();
    const both = await startSampleApp({ routes: [watch, slow] });
    const watcher = connect(both.port, '127.0.0.1');
    watcher.write(['slow', 'watch'].map((id) => `GET /api/${id} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
    while (opened.length === 0) await setImmediate();
    only().stream.cut();
    await Promise.all([once(watcher, 'close'), only().closed]);
    release();
    await both.close(0);
  });

  it('wait for the answer before them on the same connection, and lose nothing', async () => {
    const { release, slow } = holdingRoute();
    const both = await startSampleApp({ routes: [watch, slow] });
    const said = sendBytes(
      both.url,
      ['slow', 'watch'].map((id) => `GET /api/${id} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''),
    );
    while (opened.length === 0) await setImmediate();
    const { stream, closed } = only();
    stream.write(Buffer.from('data: second\n\n'));
    release();
    while (stream.buffered > 0) await setImmediate();
    stream.write(Buffer.from('data: third\n\n'));
    stream.end();
    await closed;
    const [answer, events] = (await said).split('data: first');
    expect(answer).to.include('"slow"').and.include('text/event-stream');
    expect(events).to.equal('\n\ndata: second\n\ndata: third\n\n');
    await both.close(0);
  });

  it('tell when a client has taken in what was written, or is gone', async () => {
    for (const end of ['resume', 'resetAndDestroy'] as const) {
      opened = [];
      const slow = connect(app.port, '127.0.0.1');
      slow.write('GET /api/watch HTTP/1.1\r\nHost: x\r\n\r\n');
      await once(slow, 'data');
      slow.pause();
      const { stream } = only();
      await stream.drained();
      stream.write(Buffer.alloc(32 << 20, ':'));
      let drained = false;
      const draining = stream.drained().then(() => (drained = true));
      await setImmediate();
      expect(drained).to.equal(false);
      slow[end]();
      await draining;
      if (end === 'resume') expect(stream.buffered).to.equal(0);
      slow.destroy();
    }
  });

  it('can be cut', async () => {
    const watcher = connect(app.port, '127.0.0.1');
    watcher.write('GET /api/watch HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(watcher, 'data');
    only().stream.cut();
    await Promise.all([once(watcher, 'close'), only().closed]);
  });

  it('are not taken for failures, nor their length for a duration', async () => {
    const answer = await fetch(`${app.url}/api/watch`);
    await answer.body?.cancel();
    await only().closed;
    await app.close(0);
    const metrics = (await app.metrics.expose()).text;
    expect(metrics).to.include('http_requests_total{route="/api/watch",method="GET",status="200"} 1');
    expect(metrics).not.to.include('http_request_duration_seconds_count{route="/api/watch"');
  });
});
