import { connect } from 'node:net';

/** What to ask for, and of whom. */
export interface Target {
  readonly port: number;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Answers a second to clients that keep their connections, each with one request under way. Throws at the first answer
 * that is not a 200 with a length.
 */
export async function measureRate(target: Target, clients: number, ms: number): Promise<number> {
  const headers = Object.entries(target.headers ?? {}).map(([name, value]) => `${name}: ${value}\r\n`);
  const request = Buffer.from(`GET ${target.path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${headers.join('')}\r\n`);
  const begunMs = performance.now();
  const counts = await Promise.all(Array.from({ length: clients }, () => client(target.port, request, begunMs + ms)));
  const answers = counts.reduce((sum, count) => sum + count, 0);
  return (1_000 * answers) / (performance.now() - begunMs);
}

function client(port: number, request: Buffer, untilMs: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    let answers = 0;
    /** Bytes of the answer under way that are still to come; null before its head has been read. */
    let missing: number | null = null;
    let head = '';
    socket.setNoDelay(true);
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      if (missing === null) {
        head += chunk.toString('latin1');
        const end = head.indexOf('\r\n\r\n');
        if (end === -1) return;
        const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
        if (!head.startsWith('HTTP/1.1 200') || length === undefined) {
          socket.destroy(new Error(head.slice(0, end)));
          return;
        }
        missing = Number(length) - (head.length - end - 4);
        head = '';
      } else missing -= chunk.length;
      if (missing > 0) return;
      missing = null;
      answers += 1;
      if (performance.now() < untilMs) socket.write(request);
      else {
        socket.destroy();
        resolve(answers);
      }
    });
  });
}
