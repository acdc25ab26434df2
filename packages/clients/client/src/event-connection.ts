import { createParser } from 'eventsource-parser';
import { Unreachable } from './errors.ts';

/** One message of a stream. */
export interface StreamMessage {
  /** The `event` field; `message` if there is none. */
  readonly type: string;
  readonly data: unknown;
}

/** Messages that belong together. The last one has the sequence as its id, so a stream resumes after whole groups. */
export interface MessageGroup {
  readonly seq: number;
  readonly messages: readonly StreamMessage[];
}

/** Reads one connection of a stream, group by group. It reads no faster than its caller, so nothing accumulates. */
export class EventConnection {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  readonly #groups: MessageGroup[] = [];
  #messages: StreamMessage[] = [];
  readonly #parser = createParser({
    onEvent: ({ data, event, id }) => {
      this.#messages.push({ type: event ?? 'message', data: JSON.parse(data) as unknown });
      if (id === undefined) return;
      this.#groups.push({ seq: Number(id), messages: this.#messages });
      this.#messages = [];
    },
  });

  /**
   * @param close ends the connection
   * @param silentMs the silence after which a connection is dead; the service sends an event or a comment more often
   */
  constructor(
    body: ReadableStream<Uint8Array>,
    readonly close: () => void,
    private readonly silentMs: number,
  ) {
    this.#reader = body.getReader();
  }

  /** The next group. @throws Unreachable when the connection ended or is silent */
  async next(): Promise<MessageGroup> {
    for (;;) {
      const group = this.#groups.shift();
      if (group !== undefined) return group;
      this.#parser.feed(this.#decoder.decode(await this.#read(), { stream: true }));
    }
  }

  async #read(): Promise<Uint8Array> {
    // The timer runs only during the wait: a caller may take its time between two messages.
    const timer = setTimeout(this.close, this.silentMs);
    try {
      const { done, value } = await this.#reader.read();
      if (done) throw new Unreachable('The service ended the stream.');
      return value;
    } finally {
      clearTimeout(timer);
    }
  }
}
