import { connect } from 'node:net';
import { Writable } from 'node:stream';
import { ApiError } from '@paper/contracts';
import { createLogger, createMetrics } from '@paper/runtime';
import { eventually } from '@paper/testkit';
import { expect } from 'chai';
import { CallClient, createPipeline, pathOf, startServer } from '../src/index.ts';
import type { RunningServer } from '../src/index.ts';

describe('a pipeline', () => {
  const lines: Record<string, unknown>[] = [];
  let server: RunningServer;
  let begun = 0;
  let gone = 0;

  before(async () => {
    const log = new Writable({
      write(text: Buffer, _encoding, done) {
        lines.push(JSON.parse(text.toString()) as Record<string, unknown>);
        done();
      },
    });
    const logger = createLogger({ name: 'test', level: 'debug' }, log);
    const { listener } = createPipeline({
      logger,
      metrics: createMetrics(),
      answerOf: (error) => error as ApiError,
    });
    const serve = async (call: Parameters<Parameters<typeof listener>[0]>[0]): Promise<void> => {
      if (pathOf(call.request) === '/refused') throw new ApiError('not_found', 'nothing here');
      begun += 1;
      await new Promise((resolve) => new CallClient(call).signal.addEventListener('abort', resolve));
      gone += 1;
      if (pathOf(call.request) === '/bug') throw new ApiError('internal', 'a bug');
      new CallClient(call).signal.throwIfAborted();
    };
    server = await startServer(listener(serve), { host: '127.0.0.1', port: 0 });
  });
  after(() => server.close(0));

  const leave = async (path: string): Promise<void> => {
    const before = [begun, gone] as const;
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await eventually('it is served', () => begun > before[0]);
    socket.resetAndDestroy();
    await eventually('the client has gone', () => gone > before[1]);
  };

  it('answers what is thrown, by its own words', async () => {
    const answer = await fetch(`${server.url}/refused`);
    expect([answer.status, await answer.json()]).to.deep.equal([404, { error: 'nothing here', code: 'not_found' }]);
  });

  it('logs each request by itself with the access log, whatever the level, and no key of its query', async () => {
    const logged: Record<string, unknown>[] = [];
    const logger = createLogger(
      { name: 'test', level: 'warn' },
      { write: (line) => void logged.push(JSON.parse(line) as Record<string, unknown>) },
    );
    const { listener } = createPipeline({ accessLog: true, logger, metrics: createMetrics() });
    const accessed = await startServer(
      listener(({ request, response }) => {
        if (request.url?.startsWith('/refused') === true) throw new ApiError('not_found', 'nothing here');
        response.end('{}');
      }),
      { host: '127.0.0.1', port: 0 },
    );
    const key = 'svc_live_0123456789';
    for (const path of [`/served/${key}?token=${key}`, '/refused', '/refused']) {
      const answer = await fetch(`${accessed.url}${path}`, {
        headers: { authorization: `Bearer ${key}`, 'x-request-id': 'mine' },
      });
      await answer.text();
    }
    await accessed.close(1_000);
    const common = { level: 'info', method: 'GET', requestId: 'mine' };
    expect(
      logged.map(({ level, method, path, requestId, status }) => ({ level, method, path, requestId, status })),
    ).to.deep.equal([
      { ...common, path: '/served/[secret]', status: 200 },
      { ...common, path: '/refused', status: 404 },
      { ...common, path: '/refused', status: 404 },
    ]);
    expect(logged.every(({ ms }) => typeof ms === 'number')).to.equal(true);
    expect(JSON.stringify(logged)).not.to.include(key);
  });

  it('logs no fault where work ended because its client has gone, and each other fault', async () => {
    await leave('/slow');
    await leave('/bug');
    await eventually('both are logged', () => lines.filter(({ err }) => err !== undefined).length === 2);
    const logged = lines.filter(({ err }) => err !== undefined);
    expect(logged.map(({ level, err }) => [level, (err as { message: string }).message])).to.deep.equal([
      ['debug', 'the client does not wait for this request any more'],
      ['error', 'a bug'],
    ]);
  });
});
