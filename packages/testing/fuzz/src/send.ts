import type { Agent, IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beginRawRequest, lastAnswer, sendBytes } from '@paper/testkit/http';
import type { FuzzRequest } from './request.ts';

/** An answer as received. The `text` of a stream is its first block, or everything up to its first event. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The time limit of an answer; the service itself gives up after ten seconds. */
const ANSWER_MS = 20_000;

/** Sends a request exactly as given, which `fetch` would not. */
export async function send(baseUrl: string, request: FuzzRequest, agent: Agent): Promise<Reply> {
  if (request.bytes !== undefined) {
    const { status, headers, body } = lastAnswer(await sendBytes(baseUrl, request.bytes, { half: true }));
    return { status, headers: new Headers(headers), text: JSON.stringify(body) };
  }
  return new Promise((resolve, reject) => {
    const sent = beginRawRequest(baseUrl, request, { agent, timeout: ANSWER_MS });
    sent.on('response', (answer) => {
      readReply(answer, request).then((reply) => {
        // A stream lasts until the client closes it.
        if (isStream(answer)) sent.destroy();
        resolve(reply);
      }, reject);
    });
    sent.on('timeout', () => sent.destroy(new Error(`no answer after ${ANSWER_MS} ms`)));
    sent.on('error', reject);
    sent.end(request.body ?? undefined);
  });
}

const isStream = ({ headers }: IncomingMessage): boolean =>
  headers['content-type']?.startsWith('text/event-stream') ?? false;

async function readReply(answer: IncomingMessage, { untilEvent = false }: FuzzRequest): Promise<Reply> {
  const chunks: Buffer[] = [];
  const end = untilEvent ? /^data: .*\n\n/m : /\n\n/;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    if (isStream(answer) && end.test(Buffer.concat(chunks).toString())) break;
  }
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(answer.headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  return { status: answer.statusCode ?? 0, headers, text: decoded(Buffer.concat(chunks), headers) };
}

function decoded(bytes: Buffer, headers: Headers): string {
  const plain = { gzip: gunzipSync, br: brotliDecompressSync }[headers.get('content-encoding') ?? ''];
  return (plain === undefined || bytes.length === 0 ? bytes : plain(bytes)).toString();
}
