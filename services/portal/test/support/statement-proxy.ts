import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';

/**
 * Starts a way to Postgres that reports each statement before it passes.
 *
 * @param onStatement false holds the statement back
 */
export async function startStatementProxy(
  target: string,
  onStatement: () => boolean,
): Promise<{ readonly url: string; readonly server: Server }> {
  const { hostname, port } = new URL(target);
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    client.on('error', () => undefined);
    upstream.on('error', () => undefined);
    client.on('close', () => upstream.destroy());
    client.on('data', (chunk) => {
      // Parse or Query: the messages that begin a statement.
      const isStatement = chunk[0] === 0x50 || chunk[0] === 0x51;
      if (!isStatement || onStatement()) upstream.write(chunk);
    });
    upstream.pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return { url: url.href, server };
}
