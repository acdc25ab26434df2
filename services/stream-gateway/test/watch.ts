import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import type { PulseBody } from '@paper/contracts/markets';

export interface Seen {
  readonly id: number;
  readonly pulse: PulseBody;
}

/** A watcher on a socket of its own, so that it can stop reading or vanish. */
export class Watcher {
  #text = '';
  readonly #socket: Socket;
  #status = 0;
  #wake = (): void => undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => {
      this.#text += chunk.toString();
      this.#wake();
    });
    socket.on('close', () => this.#wake());
    // For a watcher that is cut, only the end matters.
    socket.on('error', () => undefined);
  }

  /** Resolves when the head of the answer has arrived. */
  static async open(url: string, path: string, headers = ''): Promise<Watcher> {
    const { hostname, port } = new URL(url);
    const watcher = new Watcher(connect(Number(port), hostname));
    watcher.#socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`);
    const head = await watcher.#upTo('\r\n\r\n');
    watcher.#status = Number(head?.split(' ')[1]);
    return watcher;
  }

  get status(): number {
    return this.#status;
  }

  /** The next block between empty lines, unparsed; null at the end of the stream. */
  block(): Promise<string | null> {
    return this.#upTo('\n\n');
  }

  /** The next event; null at the end of the stream. */
  async next(): Promise<Seen | null> {
    const block = await this.block();
    if (block === null) return null;
    const [, id, data] = /^(?:retry: 2000\n)?id: (\d+)\ndata: (.*)$/.exec(block) ?? [];
    if (id === undefined || data === undefined) throw new Error(`not an event: ${block}`);
    return { id: Number(id), pulse: JSON.parse(data) as PulseBody };
  }

  pause(): void {
    this.#socket.pause();
  }

  /** Reads on to the end. */
  async drain(): Promise<void> {
    this.#socket.resume();
    if (!this.#socket.closed) await once(this.#socket, 'close');
  }

  leave(): void {
    this.#socket.resetAndDestroy();
  }

  async #upTo(mark: string): Promise<string | null> {
    for (;;) {
      const end = this.#text.indexOf(mark);
      if (end >= 0) {
        const found = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + mark.length);
        return found;
      }
      if (this.#socket.closed) return null;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
