import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

/** The thread of a cuttable proxy (`cuttable-proxy.ts`): reports its port, carries out orders, and counts them. */
const { hostname, port, orders } = workerData;
const sockets = new Set();
/** The first bytes of each connection. */
const openings = new Map();
let whole = true;
let spared;

const isSpared = (opening) => whole || (spared !== undefined && opening.includes(spared));

const server = createServer((socket) => {
  socket.on('error', () => undefined);
  if (!whole && spared === undefined) {
    socket.destroy();
    return;
  }
  socket.once('data', (chunk) => {
    const opening = chunk.toString('latin1');
    openings.set(socket, opening);
    if (!isSpared(opening)) socket.destroy();
  });
  const onward = connect(port, hostname);
  onward.on('error', () => socket.destroy());
  for (const each of [socket, onward]) {
    sockets.add(each);
    each.on('close', () => sockets.delete(each));
  }
  socket.on('close', () => {
    openings.delete(socket);
    onward.destroy();
  });
  onward.on('close', () => socket.destroy());
  socket.pipe(onward).pipe(socket);
}).listen(0, '127.0.0.1');
await once(server, 'listening');

parentPort.on('message', ({ cut, but }) => {
  whole = !cut;
  if (cut) {
    spared = but;
    for (const [socket, opening] of openings) if (!isSpared(opening)) socket.destroy();
    // A connection without data so far is checked at its first bytes.
    if (but === undefined) for (const socket of sockets) socket.destroy();
  }
  Atomics.add(orders, 0, 1);
  Atomics.notify(orders, 0);
});
parentPort.postMessage(server.address().port);
