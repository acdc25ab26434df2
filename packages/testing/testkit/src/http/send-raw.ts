import { request as httpRequest } from 'node:http';
import type { Agent } from 'node:http';
import { connect } from 'node:net';
import type { BadRequest } from './bad-requests.ts';
import { scaledMs } from '../eventually.ts';

/** An answer as received. `body` is undefined if the body is not JSON. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Sends a request exactly as given, which `fetch` would not: repeated headers, bodies with GET, any method. */
export function sendBadRequest(baseUrl: string, bad: BadRequest, agent?: Agent): Promise<RawAnswer> {
  const headers = [...bad.headers.flat(), 'host', new URL(baseUrl).host];
  // With a flat list of headers Node adds neither host nor length, so both are added here.
  const length = bad.chunked ? ['transfer-encoding', 'chunked'] : ['content-length', String(bad.body.length)];
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(baseUrl);
    const sent = httpRequest(
      {
        hostname,
        port,
        method: bad.method,
        path: bad.path,
        // The types of Node lack the flat list of names and values, which is needed to send a name twice.
        headers: [...headers, ...length] as unknown as Record<string, string>,
        ...(agent === undefined ? {} : { agent }),
      },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          resolve({
            status: answer.statusCode ?? 0,
            headers: Object.fromEntries(Object.entries(answer.headersDistinct).map(([k, v]) => [k, String(v)])),
            body: parsed(Buffer.concat(chunks).toString()),
          });
        });
      },
    );
    sent.on('error', reject);
    sent.end(bad.body);
  });
}

/** Returns all that comes until the server closes the connection. `half`: the client closes its side after writing. */
export function sendBytes(
  baseUrl: string,
  bytes: Buffer | string,
  { half = false, waitMs = 10_000 }: { readonly half?: boolean; readonly waitMs?: number } = {},
): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true }, () => {
      if (half) socket.end(bytes);
      else socket.write(bytes);
    });
    const limitMs = scaledMs(waitMs);
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`still open after ${limitMs} ms, having said: ${Buffer.concat(chunks).toString()}`));
    }, limitMs);
    const finish = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(Buffer.concat(chunks).toString());
    };
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('end', finish);
    // A reset after the answer does not matter. A reset instead of an answer leaves no chunks.
    socket.on('error', finish);
  });
}

/** The last answer in the output of `sendBytes`. */
export function lastAnswer(output: string): RawAnswer {
  const start = output.lastIndexOf('HTTP/1.1 ');
  const [head = '', body = ''] = output.slice(start).split('\r\n\r\n');
  const [line = '', ...fields] = head.split('\r\n');
  const headers = fields.map((field) => [
    field.slice(0, field.indexOf(':')).toLowerCase(),
    field.replace(/^[^:]*: */, ''),
  ]);
  return {
    status: Number(line.split(' ')[1]),
    headers: Object.fromEntries(headers) as Record<string, string>,
    body: parsed(body),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
