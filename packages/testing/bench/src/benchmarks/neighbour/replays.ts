import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import type { RunningStandalone } from '@paper/testkit/exchange';
import { HttpConnection, httpRequest, Traders } from '../../index.ts';
import { neighbour } from './neighbour.ts';
import type { Neighbour } from './neighbour.ts';
import { MARKET } from './orders.ts';

const BATCH = 50;
/** The number of batches: 10,000 orders, each cancelled at once. */
const BATCHES = 200;

/** Opens streams of one account that each request its whole long history, and begin again when they have it. */
export async function historyReplays(service: RunningStandalone, connections: number): Promise<Neighbour> {
  const traders = await Traders.open(service, { accounts: 1, markets: [MARKET] });
  const seq = await makeHistory(traders);
  const open = () => Promise.resolve({ send: () => replay(traders, seq), usual: 200, close: () => undefined });
  return neighbour('replays of long histories', connections, open);
}

async function makeHistory(traders: Traders): Promise<number> {
  const connection = await HttpConnection.open(traders.port);
  const body = { orders: Array.from({ length: BATCH }, () => traders.unfilledOrder()) };
  const request = httpRequest('POST', '/api/orders/batch', { key: traders.key(0), body });
  let seq = 0;
  for (let made = 0; made < BATCHES;) {
    const { status, head } = await connection.send(request);
    if (status === 200) made += 1;
    else if (status !== 429) throw new Error(`POST /api/orders/batch: ${status}`);
    else await new Promise((resolve) => setTimeout(resolve, 200));
    seq = Number(/\r\nx-journal-seq: (\d+)/i.exec(head)?.[1] ?? seq);
  }
  connection.close();
  await traders.waitUntilCaughtUp();
  return seq;
}

/** Opens a stream that begins at the first event, and returns its status once it has arrived at `seq`. */
async function replay(traders: Traders, seq: number): Promise<number> {
  const socket = connect(traders.port, '127.0.0.1');
  // The service may cut a connection that the client closes.
  socket.on('error', () => undefined);
  socket.write(
    `GET /api/stream/account HTTP/1.1\r\nhost: x\r\nx-api-key: ${traders.key(0)}\r\nlast-event-id: 1\r\n\r\n`,
  );
  const [first] = (await once(socket, 'data')) as [Buffer];
  const status = Number(first.subarray(9, 12).toString());
  if (status === 200) await untilArrived(socket, first, seq);
  socket.destroy();
  return status;
}

/** Resolves when the stream has an id of `seq` or later, or its connection is closed. */
function untilArrived(socket: Socket, first: Buffer, seq: number): Promise<void> {
  return new Promise((resolve) => {
    let last = '';
    const look = (chunk: Buffer): void => {
      // An id may be split over two chunks.
      last = last.slice(-200) + chunk.toString('latin1');
      if (arrived(last, seq)) resolve();
    };
    look(first);
    socket.on('data', look);
    socket.once('close', () => resolve());
  });
}

function arrived(text: string, seq: number): boolean {
  return [...text.matchAll(/^id: (\d+)/gm)].some(([, id]) => Number(id) >= seq);
}
