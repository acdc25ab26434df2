import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** A TCP port in front of a server, which simulates network faults and a stopped process. */
export interface ConnectionGate {
  readonly port: number;
  /** Connections are accepted and stay open, and nothing passes any more. */
  freeze(): void;
  /** Passes the bytes that were held back, and all later ones. */
  thaw(): void;
  /** Ends every connection at once with a TCP reset. New connections are accepted. */
  cut(): void;
  /** Ends every connection; new ones are refused until `open` on the same port. */
  shut(): Promise<void>;
  open(): Promise<void>;
}

export async function createConnectionGate(targetPort: number): Promise<ConnectionGate> {
  const sockets = new Set<Socket>();
  let frozen = false;
  const join = (from: Socket, to: Socket): void => {
    sockets.add(from);
    from.on('data', (chunk) => {
      if (!to.write(chunk)) from.pause();
    });
    to.on('drain', () => {
      if (!frozen) from.resume();
    });
    from.on('error', () => from.destroy());
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
    if (frozen) from.pause();
  };
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ host: '127.0.0.1', noDelay: true, port: targetPort });
    join(client, upstream);
    join(upstream, client);
  });
  const cut = (): void => {
    for (const socket of [...sockets]) socket.resetAndDestroy();
  };
  const listen = async (port: number): Promise<number> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const port = await listen(0);
  return {
    cut,
    freeze: () => {
      frozen = true;
      for (const socket of sockets) socket.pause();
    },
    open: async () => {
      await listen(port);
    },
    port,
    shut: async () => {
      const closed = once(server, 'close');
      server.close();
      cut();
      await closed;
    },
    thaw: () => {
      frozen = false;
      for (const socket of sockets) socket.resume();
    },
  };
}
