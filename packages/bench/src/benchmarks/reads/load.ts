import { KeptConnection } from '../../harness/kept-connection.ts';

/** A request and its server. */
export interface Target {
  readonly port: number;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Answers a second to clients that keep their connections, each with one request under way. Throws at the first answer
 * without status 200 and a length.
 */
export async function measureRate(target: Target, clients: number, ms: number): Promise<number> {
  const headers = Object.entries(target.headers ?? {}).map(([name, value]) => `${name}: ${value}\r\n`);
  const request = Buffer.from(`GET ${target.path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${headers.join('')}\r\n`);
  const begunMs = performance.now();
  const counts = await Promise.all(Array.from({ length: clients }, () => client(target.port, request, begunMs + ms)));
  const answers = counts.reduce((sum, count) => sum + count, 0);
  return (1_000 * answers) / (performance.now() - begunMs);
}

async function client(port: number, request: Buffer, untilMs: number): Promise<number> {
  const connection = await KeptConnection.open(port);
  let answers = 0;
  do {
    const answer = await connection.ask(request);
    if (answer.status !== 200) throw new Error(answer.head);
    answers += 1;
  } while (performance.now() < untilMs);
  connection.close();
  return answers;
}
