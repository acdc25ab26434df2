import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { Unavailable } from '@paper/contracts';
import { relayHeaders } from '@paper/http';

/** A request to the API whose answer is passed on byte by byte. */
export interface ForwardedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
  /** The address that the API counts the request against if it counts no key; undefined: the client has left. */
  readonly client: string | undefined;
  readonly isRepeatable: boolean;
  /** Ends the request, and the answer, when it aborts. */
  readonly signal: AbortSignal;
}

/** The head of the API's answer; its body is still to be read. */
export type AnswerHead = IncomingMessage & { readonly status: number };

const HEAD_MS = 15_000;

/** Sends requests to the API over kept-alive connections. */
export class ApiRequests {
  readonly #http = new HttpAgent({ keepAlive: true });
  readonly #https = new HttpsAgent({ keepAlive: true });

  /** @param relaySecret makes the API of the same process trust addresses of clients; null: it trusts this address */
  constructor(private readonly relaySecret: string | null) {}

  /** Resolves with the head of the answer. @throws Unavailable when no answer comes, and the reason of the signal. */
  async send(request: ForwardedRequest): Promise<AnswerHead> {
    try {
      return await this.#send(request);
    } catch (error) {
      // The API closed the idle connection at the moment when it was used again.
      if ((error as { wasIdle?: unknown }).wasIdle === true && request.isRepeatable) return this.#send(request);
      request.signal.throwIfAborted();
      throw new Unavailable('The exchange does not answer; try again', { cause: error });
    }
  }

  close(): void {
    this.#http.destroy();
    this.#https.destroy();
  }

  #send({ body, client, headers, method, signal, url }: ForwardedRequest): Promise<AnswerHead> {
    return new Promise((resolve, reject) => {
      const isHttps = url.protocol === 'https:';
      const sent = (isHttps ? httpsRequest : httpRequest)(url, {
        method,
        headers: { ...headers, ...relayHeaders(client, this.relaySecret) },
        agent: isHttps ? this.#https : this.#http,
        signal,
      });
      const timer = setTimeout(() => sent.destroy(new Error(`no answer within ${HEAD_MS} ms`)), HEAD_MS);
      sent.once('response', (answer) => {
        clearTimeout(timer);
        resolve(Object.assign(answer, { status: answer.statusCode ?? 0 }));
      });
      // After the head, an error also reaches the answer, whose reader handles it.
      sent.on('error', (error) => {
        clearTimeout(timer);
        reject(Object.assign(error, { wasIdle: sent.reusedSocket }));
      });
      sent.end(body);
    });
  }
}
