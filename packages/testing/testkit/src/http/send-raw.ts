import { request as httpRequest } from 'node:http';
import type { Agent, ClientRequest } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { BadRequest } from './bad-requests.ts';
import { scaledMs } from '../eventually.ts';

/** Begins a request exactly as given, which `fetch` would not: repeated headers, bodies with GET, any method. */
export function beginRawRequest(
  baseUrl: string,
  request: Pick<BadRequest, 'chunked' | 'headers' | 'method' | 'path'> & { readonly body: Buffer | null },
  options: { readonly agent: Agent; readonly timeout?: number },
): ClientRequest {
  const { hostname, host, port } = new URL(baseUrl);
  const { body, chunked, method, path } = request;
  // With a flat list of headers Node adds neither host nor length, so both are added here.
  const length = chunked ? ['transfer-encoding', 'chunked'] : ['content-length', String(body?.length)];
  const headers = [...request.headers.flat(), 'host', host, ...(body === null ? [] : length)];
  // The types of Node lack the flat list of names and values, which is needed to send a name twice.
  return httpRequest({
    ...options,
    hostname,
    port,
    method,
    path,
    headers: headers as unknown as Record<string, string>,
  });
}

export function sendBadRequest(baseUrl: string, bad: BadRequest, agent: Agent): Promise<ReturnType<typeof lastAnswer>> {
  return new Promise((resolve, reject) => {
    const sent = beginRawRequest(baseUrl, bad, { agent });
    sent.on('response', (answer) => {
      const headers = Object.fromEntries(Object.entries(answer.headersDistinct).map(([k, v]) => [k, String(v)]));
      const toAnswer = (body: string) => resolve({ status: answer.statusCode ?? 0, headers, body: parsed(body) });
      text(answer).then(toAnswer, reject);
    });
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

/** The last answer in the output of `sendBytes`; the body is undefined if it is not JSON. */
export function lastAnswer(output: string) {
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

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
