import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createApp, createOperators, startServer } from '@paper/http';
import { createLogger, createMetrics } from '@paper/runtime';
import { AccountStreams } from '@paper/stream-gateway';
import { figure, megabytes, memoryInUse, percent, printBar } from '../index.ts';

/** Measures the memory in use after accounts' streams have ended. The clients run in another process. */
const CONNECTS = 10_000;
const AT_ONCE = 20;
const HEAP_BAR = 0.1;
const [, , port] = process.argv;

if (process.send === undefined || port === undefined) await serve();
else await comeAndGo(Number(port));

async function serve(): Promise<void> {
  const metrics = createMetrics();
  const logger = createLogger({ name: 'bench', level: 'silent' });
  const streams = new AccountStreams({
    authenticate: (hash) =>
      Promise.resolve({ kind: 'key', accountId: hash, keyId: hash, permissions: ['view'], primaryAccountId: null }),
    events: {
      seq: () => Promise.resolve(7),
      read: ({ keyIds }) =>
        Promise.resolve({
          events: [],
          upTo: 7,
          seq: 7,
          complete: true,
          liveKeys: new Set(keyIds),
          fleets: new Map(),
          states: new Map(),
        }),
      reached: (_seq, timeoutMs) => new Promise((resolve) => setTimeout(() => resolve(false), timeoutMs)),
    },
    logger,
    metrics,
    // With 0, every resuming stream gets its own replay.
    nearSequences: 0,
  });
  streams.start();
  const app = createApp({ logger, metrics, operators: createOperators([]), rateLimiter: null, routes: streams.routes });
  const server = await startServer(app, { host: '127.0.0.1', port: 0 });
  const heapAfter = async (): Promise<number> => {
    const clients = fork(import.meta.filename, [String(server.port)]);
    await once(clients, 'exit');
    while (!(await metrics.expose()).text.includes('\npaper_account_streams 0\n')) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return memoryInUse().heap;
  };
  const before = await heapAfter();
  const after = await heapAfter();
  console.log(`${figure(CONNECTS)} streams came and went: heap ${megabytes(before)} before, ${megabytes(after)} after`);
  const show = (ratio: number): string => percent(ratio, 1);
  printBar('change of the heap', Math.abs(after / before - 1), { atMost: HEAP_BAR }, show);
  await streams.stop();
  await server.close(0);
  process.exit();
}

async function comeAndGo(to: number): Promise<void> {
  const one = async (n: number): Promise<void> => {
    const socket = connect(to, '127.0.0.1');
    const lastEventId = n % 2 === 0 ? '' : 'Last-Event-ID: 3\r\n';
    socket.write(`GET /api/stream/account HTTP/1.1\r\nHost: x\r\nX-Api-Key: k${n % 500}\r\n${lastEventId}\r\n`);
    await once(socket, 'data');
    socket.resetAndDestroy();
  };
  for (let n = 0; n < CONNECTS; n += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => one(n + index)));
  }
  process.exit(0);
}
