import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request that the server saw. */
export interface Seen {
  /** `METHOD path?query`. */
  readonly request: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** How the server treats one request. */
export type Step = (response: ServerResponse, seen: Seen) => void;

/** A real HTTP server that answers requests by a script: cuts, delays, refusals and streams. */
export class ScriptedServer {
  script: Step[] = [];
  readonly seen: Seen[] = [];
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      void text(request).then((body) => {
        const seen = { request: `${request.method} ${request.url}`, headers: request.headers, body };
        this.seen.push(seen);
        const step = this.script.shift();
        if (step === undefined) json(500, { error: 'the script has ended', code: 'internal' })(response, seen);
        else step(response, seen);
      });
    });
  }

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Forgets what it saw, and what is left of the script. */
  reset(): void {
    this.script = [];
    this.seen.length = 0;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** A server for the tests of a suite, each of which finds it without a script. */
export function scriptedServer(): ScriptedServer {
  const server = new ScriptedServer();
  before(() => server.start());
  beforeEach(() => server.reset());
  after(() => server.stop());
  return server;
}

/** The reason with which work fails. */
export function failure(work: PromiseLike<unknown>): Promise<unknown> {
  return Promise.resolve(work).then(
    () => {
      throw new Error('it did not fail');
    },
    (error: unknown) => error,
  );
}

/** Answers with JSON. */
export const json =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Step =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

/** Cuts the connection after the request has arrived. */
export const cut: Step = (response) => void response.destroy();

/** Cuts the connection within the answer. */
export const cutWithin: Step = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
  response.write('{"id":', () => response.destroy());
};

/** Never answers. */
export const silence: Step = () => undefined;

/** Sends these blocks of an event stream, then does `end`. */
export const events =
  (seq: number, blocks: readonly string[], end: 'cut' | 'end' | 'stay' = 'stay'): Step =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'x-journal-seq': String(seq) });
    response.write(`retry: 2000\n\n${blocks.map((block) => `${block}\n\n`).join('')}`, () => {
      if (end === 'cut') response.destroy();
      if (end === 'end') response.end();
    });
  };
