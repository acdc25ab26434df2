import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningStandalone } from '@paper/testkit/exchange';
import { HttpConnection } from '../../index.ts';
import { openFleet } from './fleet.ts';

export interface Neighbour {
  readonly name: string;
  /** The largest allowed p99 of the orders beside it. */
  readonly barMs?: number;
  /** Starts requests. The returned function ends them, and counts answers with the usual status, 429, and any other. */
  readonly begin: () => () => Promise<Readonly<Record<'answered' | 'refused' | 'failed', number>>>;
}

const PAUSE_MS = 50;

/** Creates the neighbours. They send from one IP address for one account with several keys, which take turns. */
export async function startNeighbour(service: RunningStandalone, connections: number): Promise<readonly Neighbour[]> {
  const port = Number(new URL(service.baseUrl).port);
  const { key, orders, keys, seq } = await openFleet(service);
  let count = 0;
  const next = (): number => (count += 1);
  const keyed = (): string => `x-api-key: ${keys[next() % keys.length] ?? key}`;
  const read = (path: string, header = 'x: y'): string => `GET ${path} HTTP/1.1\r\nhost: x\r\n${header}\r\n\r\n`;
  const requests: readonly (readonly [name: string, request: () => string, usual?: number])[] = [
    // Each request starts at another sequence, so that no answer comes from the cache.
    ['journal pages', () => read(`/api/journal?from=${1 + (next() % 3_000)}`)],
    ['500-trade pages', () => read(`/api/trades/recent?limit=${500 - (next() % 50)}`)],
    ['order histories', () => read(`/api/orders/${orders[next() % orders.length] ?? ''}/history`, keyed())],
    ['portfolio asOfSeq', () => read(`/api/portfolio?asOfSeq=${seq - (next() % 50)}`, keyed())],
    ['bad keys', () => read('/api/portfolio', `x-api-key: svc_live_bad${next()}`), 401],
    ['account lists', () => read('/api/accounts/sub', keyed())],
    ['sign-ins', () => signIn(service.publicUrl, next()), 401],
  ];
  const requesters = requests.map(([name, request, usual = 200]) =>
    neighbour(name, connections, async () => {
      const connection = await HttpConnection.open(port);
      const send = async (): Promise<number> => (await connection.send(request())).status;
      return { send, usual, close: () => connection.close() };
    }),
  );
  const streams = neighbour('new streams', connections, () =>
    Promise.resolve({
      send: () => openStream(port, next() % 2 === 0 ? '/api/stream' : '/api/stream/account', keyed()),
      usual: 200,
      close: () => undefined,
    }),
  );
  return [...requesters, streams];
}

/** A sign-in with a wrong password, each time with another name and address, so that no throttle stops it. */
function signIn(publicUrl: string, n: number): string {
  const { host, origin } = new URL(publicUrl);
  const address = `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
  const body = JSON.stringify({ name: `nobody-${n}`, password: `a wrong password ${n}` });
  return [
    'POST /portal/sign-in HTTP/1.1',
    `host: ${host}`,
    `origin: ${origin}`,
    `x-forwarded-for: ${address}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
}

interface Sender {
  readonly send: () => Promise<number>;
  readonly usual: number;
  readonly close: () => void;
}

/** A neighbour with several connections, each with one request in flight; after any unusual answer it pauses. */
export function neighbour(
  name: string,
  connections: number,
  open: () => Promise<Sender>,
  pauseMs = PAUSE_MS,
): Neighbour {
  return {
    name,
    begin: () => {
      const stopping = new AbortController();
      const counts = { answered: 0, refused: 0, failed: 0 };
      const client = async (): Promise<void> => {
        const { send, usual, close } = await open();
        while (!stopping.signal.aborted) {
          const status = await send();
          if (status === usual) counts.answered += 1;
          else if (status === 429) counts.refused += 1;
          else counts.failed += 1;
          if (status !== usual) await sleep(pauseMs);
        }
        close();
      };
      const running = Promise.all(Array.from({ length: connections }, client));
      return async () => {
        stopping.abort();
        await running;
        return counts;
      };
    },
  };
}

/** Opens a stream, and closes it after the head of the answer. Returns its status. */
async function openStream(port: number, path: string, header: string): Promise<number> {
  const socket = connect(port, '127.0.0.1');
  // The service may cut a connection that the client closes.
  socket.on('error', () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n${header}\r\n\r\n`);
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return Number(chunk.subarray(9, 12).toString());
}
