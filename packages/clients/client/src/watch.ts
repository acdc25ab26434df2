import { backOffMs, parsedJson } from './api-request.ts';
import type { BacktestStream } from './backtest-streams.ts';
import { ApiRefusal, Unreachable } from './errors.ts';
import { EventConnection } from './event-connection.ts';
import type { MessageGroup, StreamMessage } from './event-connection.ts';
import { pause } from './pause.ts';
import { refusalOf } from './refusal.ts';

/** Opens a stream after `lastSeq`; null: from now on. */
export type OpenStream = (lastSeq: number | null, signal: AbortSignal) => Promise<Response>;

/** The options of watching a stream. */
export interface WatchOptions {
  /** Ends the stream when it aborts: the iteration then simply ends. */
  readonly signal?: AbortSignal | undefined;
  /** The journal sequence to resume after, instead of beginning now. Streams of pulses begin now in any case. */
  readonly after?: number | undefined;
  /** How long the stream tries to reconnect before it throws, in ms. Default: for ever. */
  readonly retryForMs?: number | undefined;
}

/** The settings of a kind of stream, besides the caller's options. */
export interface WatchKind<T> {
  readonly name: string;
  readonly open: OpenStream;
  /** The source of the messages in a backtest; undefined outside of one. */
  readonly backtest?: BacktestStream | undefined;
  /** Whether a new connection resumes after the last event (Last-Event-ID). */
  readonly resumes: boolean;
  /** A connection that is silent for longer is dead, in ms. */
  readonly silentMs: number;
  /** Whether messages of this type replace everything before them, so that they are never duplicates. */
  readonly isWhole: (type: string) => boolean;
  /** Converts a message to the reader's item. `resumed`: it is the first one after a lost connection. */
  readonly toItem: (message: StreamMessage, seq: number, resumed: boolean) => T;
}

const PAUSE_MS_MAX = 5_000;

/**
 * A stream of the service, as an async iterator. A connection that ends, fails or is silent is opened again, and
 * resumes after the last event, so that each event comes exactly once. The first item after that has `resumed: true`.
 *
 * ```ts
 * for await (const event of client.watchAccount()) if (event.type === 'fill') console.log(event.fill.price);
 * ```
 */
export class Watch<T> implements AsyncIterableIterator<T> {
  readonly #kind: WatchKind<T>;
  readonly #retryForMs: number;
  readonly #closing = new AbortController();
  readonly #items: T[] = [];
  #connection: Pick<EventConnection, 'close' | 'next'> | null = null;
  #lastSeq: number | null;
  #wasCut = false;
  #failures = 0;
  #failingSince: number | null = null;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(kind: WatchKind<T>, { after, retryForMs = Infinity, signal }: WatchOptions) {
    this.#kind = kind;
    this.#retryForMs = retryForMs;
    this.#lastSeq = after ?? null;
    if (signal?.aborted === true) this.close();
    signal?.addEventListener('abort', () => this.close(), { signal: this.#closing.signal });
  }

  /** The journal sequence up to which everything was received; null before the first connection. */
  get seq(): number | null {
    return this.#lastSeq;
  }

  /** Connects, as the first `next()` does otherwise. Returns the journal sequence after which the stream begins. */
  async open(): Promise<number> {
    await this.#inTurn(async () => {
      while (this.#connection === null && !this.#closing.signal.aborted) await this.#attempt(() => this.#connect());
    });
    return this.#lastSeq ?? 0;
  }

  /** The next item, once it has arrived; `done` after `close()`. @throws ApiRefusal if the stream is refused */
  async next(): Promise<IteratorResult<T, undefined>> {
    return this.#inTurn(async () => {
      for (;;) {
        const item = this.#items.shift();
        if (item !== undefined) return { done: false, value: item };
        if (this.#closing.signal.aborted) return { done: true, value: undefined };
        await this.#attempt(async () => {
          const connection = this.#connection ?? (await this.#connect());
          this.#take(await connection.next());
        });
      }
    });
  }

  /** Ends the stream, as leaving a `for await` does. */
  return(): Promise<IteratorResult<T, undefined>> {
    this.close();
    return Promise.resolve({ done: true, value: undefined });
  }

  /** Ends the stream. Items that were already received are still returned. */
  close(): void {
    this.#closing.abort();
    this.#connection?.close();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #inTurn<R>(work: () => Promise<R>): Promise<R> {
    const mine = this.#turn.then(work);
    this.#turn = mine.catch(() => undefined);
    return mine;
  }

  /** Runs work that needs a connection; after a failure it discards the connection and waits. */
  async #attempt(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#connection?.close();
      this.#connection = null;
      if (this.#closing.signal.aborted) return;
      const pauseMs = this.#pauseAfter(error);
      if (pauseMs === null) {
        this.close();
        throw error;
      }
      await pause(pauseMs, this.#closing.signal);
    }
  }

  async #connect(): Promise<Pick<EventConnection, 'close' | 'next'>> {
    const { backtest, name, open, resumes, silentMs } = this.#kind;
    if (backtest !== undefined) return (this.#connection = await this.#follow(backtest));
    const ending = new AbortController();
    const timer = setTimeout(() => ending.abort(), silentMs);
    try {
      const signal = AbortSignal.any([ending.signal, this.#closing.signal]);
      const response = await open(resumes ? this.#lastSeq : null, signal);
      if (response.status !== 200) throw await toRefusal(name, response);
      if (response.body === null) throw new Unreachable(`${name}: the answer has no body.`);
      // The sequence after which the stream begins. It is stored now, so that a cut before the first event loses no
      // event.
      this.#lastSeq ??= Number(response.headers.get('x-journal-seq') ?? 0);
      this.#connection = new EventConnection(response.body, () => ending.abort(), silentMs);
      return this.#connection;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Connects to the clock of a backtest, with whose end the stream ends. */
  async #follow(backtest: BacktestStream): Promise<Pick<EventConnection, 'close' | 'next'>> {
    const groups = await backtest(this.#closing.signal);
    this.#lastSeq ??= 0;
    return {
      close: () => void groups.return?.(),
      next: async () => {
        const { done, value } = await groups.next();
        if (done !== true) return value;
        this.close();
        return { seq: 0, messages: [] };
      },
    };
  }

  #take({ messages, seq }: MessageGroup): void {
    this.#failures = 0;
    this.#failingSince = null;
    const { isWhole, toItem } = this.#kind;
    const last = this.#lastSeq ?? 0;
    for (const message of messages) {
      if (seq <= last && !isWhole(message.type)) continue;
      this.#items.push(toItem(message, seq, this.#wasCut));
      this.#wasCut = false;
    }
    // A new snapshot may have a lower sequence if the former events were from another journal.
    this.#lastSeq = messages.some(({ type }) => isWhole(type)) ? seq : Math.max(last, seq);
  }

  /** The pause before the next connection, in ms; null if the stream has failed for good. */
  #pauseAfter(error: unknown): number | null {
    const status = error instanceof ApiRefusal ? error.status : 0;
    if (status >= 400 && status < 500 && status !== 408 && status !== 429) return null;
    this.#failures += 1;
    this.#failingSince ??= performance.now();
    if (performance.now() - this.#failingSince > this.#retryForMs) return null;
    this.#wasCut ||= this.#lastSeq !== null;
    const named = error instanceof ApiRefusal ? error.retryAfterMs : null;
    return named ?? backOffMs(this.#failures, PAUSE_MS_MAX) * (0.5 + Math.random() / 2);
  }
}

async function toRefusal(name: string, response: Response): Promise<ApiRefusal> {
  const { headers, status } = response;
  const text = await response.text();
  return refusalOf(name, { body: parsedJson(text), headers, status, text });
}
