import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';

export interface PlainAnswer {
  readonly status: number;
  /** Status line and header fields, without the blank line. */
  readonly head: string;
  readonly text: () => string;
}

interface PendingRequest {
  readonly resolve: (answer: PlainAnswer) => void;
  readonly reject: (error: Error) => void;
}

/** A kept-alive HTTP/1.1 connection to this machine, one request at a time, with as little CPU time as possible. */
export class HttpConnection {
  #pending: PendingRequest | null = null;
  #head: string | null = null;
  #text = '';
  #chunks: Buffer[] = [];
  /** The number of bytes of the body that have not arrived. */
  #missing = 0;
  #broken: Error | null = null;

  private constructor(private readonly socket: Socket) {
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.#take(chunk));
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail(new Error('the connection was closed')));
  }

  static async open(port: number): Promise<HttpConnection> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new HttpConnection(socket);
  }

  /** Sends a whole request. @throws Error when the connection breaks, or the answer has no Content-Length */
  send(request: string | Buffer): Promise<PlainAnswer> {
    return new Promise((resolve, reject) => {
      if (this.#broken !== null) {
        reject(this.#broken);
        return;
      }
      this.#pending = { resolve, reject };
      this.socket.write(request);
    });
  }

  close(): void {
    this.socket.destroy();
  }

  #take(chunk: Buffer): void {
    if (this.#head === null) {
      this.#text += chunk.toString('latin1');
      const end = this.#text.indexOf('\r\n\r\n');
      if (end === -1) return;
      this.#head = this.#text.slice(0, end);
      const length = /\r\ncontent-length: (\d+)/i.exec(this.#head)?.[1];
      if (length === undefined) {
        this.socket.destroy();
        this.#fail(new Error(`an answer without a length:\n${this.#head}`));
        return;
      }
      // The bytes of this chunk that come after the head.
      const begun = this.#text.length - end - 4;
      this.#chunks = [chunk.subarray(chunk.length - begun)];
      this.#missing = Number(length) - begun;
      this.#text = '';
    } else {
      this.#chunks.push(chunk);
      this.#missing -= chunk.length;
    }
    if (this.#missing > 0) return;
    const pending = this.#pending;
    const chunks = this.#chunks;
    const head = this.#head;
    this.#pending = null;
    this.#head = null;
    this.#chunks = [];
    pending?.resolve({ head, status: Number(head.slice(9, 12)), text: () => Buffer.concat(chunks).toString() });
  }

  #fail(error: Error): void {
    this.#broken ??= error;
    this.#pending?.reject(this.#broken);
    this.#pending = null;
  }
}
