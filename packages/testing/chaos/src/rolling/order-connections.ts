import { HttpConnection } from '@paper/bench';
import type { PlainAnswer } from '@paper/bench';

const CONNECTIONS_MAX = 256;
const ANSWER_MS = 5_000;

/** Reused connections, each with one request at a time: a `fetch` would take as much CPU time as its order. */
export class OrderConnections {
  readonly #idle: HttpConnection[] = [];
  readonly #waiting: (() => void)[] = [];
  #busy = 0;

  constructor(private readonly port: number) {}

  /** Sends a whole request. @throws Error when no whole answer comes within five seconds */
  async ask(request: string): Promise<PlainAnswer> {
    if (this.#busy >= CONNECTIONS_MAX) await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    this.#busy += 1;
    let connection: HttpConnection | undefined;
    let timer: NodeJS.Timeout | undefined;
    try {
      connection = this.#idle.pop() ?? (await HttpConnection.open(this.port));
      timer = setTimeout(() => connection?.close(), ANSWER_MS);
      const answer = await connection.send(request);
      if (/\r\nconnection: close/i.test(answer.head)) connection.close();
      else this.#idle.push(connection);
      return answer;
    } catch (error) {
      connection?.close();
      throw error;
    } finally {
      clearTimeout(timer);
      this.#busy -= 1;
      this.#waiting.shift()?.();
    }
  }

  close(): void {
    for (const connection of this.#idle.splice(0)) connection.close();
  }
}
