import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLogger } from '@paper/runtime';
import { expect } from 'chai';
import type { TurnParts } from '../../src/process/clock-routes.ts';
import { serveInTurns } from '../../src/process/serve-in-turns.ts';

describe("a participant's requests", () => {
  let server: Server;

  afterEach(() => server.close());

  it('go on after one whose client left while it waited for the read models', async () => {
    let beReadable = (): void => undefined;
    const isReadable = new Promise<void>((resolve) => (beReadable = resolve));
    let served = (_work: Promise<void>): void => undefined;
    const work = new Promise<{ readonly ended: Promise<void> }>((resolve) => (served = (ended) => resolve({ ended })));
    let answered = 0;
    const parts = {
      exchange: {
        now: () => 0,
        randomness: { keys: new Map([['given', 'known']]), begin: () => undefined },
        readable: () => isReadable,
      },
      feed: { take: () => false },
      participants: { turnOfKey: () => 0 },
      turns: {
        isLeftOut: () => false,
        isOver: false,
        serve: (_turn: number, one: () => Promise<void>) => served(one()),
      },
    } as unknown as TurnParts;
    const listener = serveInTurns(() => (answered += 1), parts, {
      isFeedLate: false,
      latencyMs: 0,
      logger: createLogger({ level: 'silent', name: 'test' }),
      onNewSubAccount: () => undefined,
    });
    server = createServer((asked, response) => {
      response.once('close', beReadable);
      listener(asked, response);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const leaving = request({ port, path: '/api/portfolio', headers: { authorization: 'Bearer given' } });
    leaving.on('error', () => undefined).end();
    const { ended } = await work;
    leaving.destroy();
    await ended;
    expect(answered).to.equal(0);
  });
});
