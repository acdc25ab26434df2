import { createServer, request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Changes a body on its way to the browser. Gets the path with its query. */
export type Tamper = (body: string, path: string) => string;

/** Stands between browser and service, and may change what the service answers. */
export interface TamperingProxy {
  /** The origin that the browser sees: the service's PUBLIC_URL. */
  readonly origin: string;
  /** Forwards to this service from now on. */
  readonly serve: (baseUrl: string) => void;
  /** Changes bodies from now on; null: none. */
  readonly tamper: (change: Tamper | null) => void;
  readonly close: () => Promise<void>;
}

/** Starts a proxy on a free port of localhost. */
export async function startTamperingProxy(): Promise<TamperingProxy> {
  let target = new URL('http://127.0.0.1:9');
  let change: Tamper | null = null;
  const server = createServer((incoming, outgoing) => forward(incoming, outgoing, target, change));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://localhost:${port}`,
    serve: (baseUrl) => {
      target = new URL(baseUrl);
    },
    tamper: (next) => {
      change = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function forward(incoming: IncomingMessage, outgoing: ServerResponse, target: URL, change: Tamper | null): void {
  const { headers, method, url: path = '/' } = incoming;
  // A compressed body could not be changed.
  const sent = request(
    { host: target.hostname, port: target.port, method, path, headers: { ...headers, 'accept-encoding': 'identity' } },
    (answer) => {
      const isStream = answer.headers['content-type']?.startsWith('text/event-stream') === true;
      if (change === null || isStream) {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
        return;
      }
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        const body = Buffer.concat(chunks);
        const changed = change(body.toString(), path);
        const bytes = changed === body.toString() ? body : Buffer.from(changed);
        const { 'content-length': _length, 'transfer-encoding': _encoding, ...kept } = answer.headers;
        outgoing.writeHead(answer.statusCode ?? 502, { ...kept, 'content-length': bytes.length });
        outgoing.end(bytes);
      });
    },
  );
  sent.on('error', () => outgoing.destroy());
  outgoing.on('close', () => sent.destroy());
  incoming.pipe(sent);
}
