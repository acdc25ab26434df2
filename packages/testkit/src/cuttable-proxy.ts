import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A way to a server that can be cut and mended, for those who must outlive it. */
export interface CuttableProxy {
  readonly url: string;
  /** Cuts every connection, and every new one at once; `but`: those whose first bytes contain this. */
  cut(but?: string): void;
  mend(): void;
  close(): Promise<void>;
}

export async function createCuttableProxy(target: string): Promise<CuttableProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const openings = new Map<Socket, string>();
  let whole = true;
  let spared: string | undefined;
  const isSpared = (opening: string): boolean => whole || (spared !== undefined && opening.includes(spared));
  const server = createServer((socket) => {
    // Nobody is told what a cut connection suffers.
    socket.on('error', () => undefined);
    if (!whole && spared === undefined) {
      socket.destroy();
      return;
    }
    socket.once('data', (chunk: Buffer) => {
      const opening = chunk.toString('latin1');
      openings.set(socket, opening);
      if (!isSpared(opening)) socket.destroy();
    });
    const onward = connect(Number(port), hostname);
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
  const url = new URL(target);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    cut(but) {
      whole = false;
      spared = but;
      for (const [socket, opening] of openings) if (!isSpared(opening)) socket.destroy();
      // Who has said nothing yet is judged by what he says first.
      if (but === undefined) for (const socket of sockets) socket.destroy();
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
