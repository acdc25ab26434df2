import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below those that the system gives to outgoing connections and to who asks for any port: from 32,768 on with Linux. */
const PORT_MIN = 16_384;
const PORT_MAX = 32_767;

/** A port of the loopback that nobody has at this moment: who takes it may come too late, and has to ask again. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORT_MIN, PORT_MAX + 1);
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') continue;
      throw error;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}
