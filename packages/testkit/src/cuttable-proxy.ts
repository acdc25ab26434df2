import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A way to a server that can be cut and mended, for those who must outlive it. */
export interface CuttableProxy {
  readonly url: string;
  /** Cuts every connection, and every new one at once. */
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

export async function createCuttableProxy(target: string): Promise<CuttableProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let whole = true;
  const server = createServer((socket) => {
    // Nobody is told what a cut connection suffers.
    socket.on('error', () => undefined);
    if (!whole) {
      socket.destroy();
      return;
    }
    const onward = connect(Number(port), hostname);
    onward.on('error', () => socket.destroy());
    for (const each of [socket, onward]) {
      sockets.add(each);
      each.on('close', () => sockets.delete(each));
    }
    socket.on('close', () => onward.destroy());
    onward.on('close', () => socket.destroy());
    socket.pipe(onward).pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    cut() {
      whole = false;
      for (const socket of sockets) socket.destroy();
    },
    mend() {
      whole = true;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
