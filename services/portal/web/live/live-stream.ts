import { createParser } from 'eventsource-parser';
import type { EventSourceMessage } from 'eventsource-parser';
import type { Clock } from '@paper/timing';
import { CallError, readCallError, toCallError } from '../api/call-error.ts';
import { CONNECTING } from './live-state.ts';
import type { LiveState } from './live-state.ts';

/** One event of a stream. */
export interface StreamEvent {
  /** The `event` field; `message` where it is left out. */
  readonly type: string;
  readonly data: unknown;
}

export interface LiveStreamOptions {
  readonly url: string;
  readonly onEvent: (event: StreamEvent) => void;
  readonly onState: (state: LiveState) => void;
  /** Called when a connection begins; `isResumed`: it goes on after the last event, so nothing is missing. */
  readonly onBegin?: (isResumed: boolean) => void;
  /** The service sends an event or a comment more often than this; a connection that is silent for longer is dead. */
  readonly silentMs: number;
  readonly timer: Pick<Clock, 'after'>;
  readonly fetch: typeof fetch;
}

const LIVE: LiveState = { kind: 'live', message: null };
const RETRY_MS_MIN = 1_000;
const RETRY_MS_MAX = 15_000;
/** What the service refuses is asked again this seldom: a market may be listed, a session may begin. */
const REFUSED_MS = 30_000;

/**
 * Reads a stream of server-sent events until it is closed. A connection that ends, fails or is silent is made again, after
 * pauses that grow from 1 s to 15 s or are as long as the service asks. It goes on after the last event (Last-Event-ID)
 * where it can. An EventSource gives up on any answer but a 200, hides the reason, and cannot be told where to go on.
 */
export class LiveStream {
  readonly #options: LiveStreamOptions;
  readonly #closing = new AbortController();
  #connection = new AbortController();
  #lastEventId: string | null = null;
  #failures = 0;
  #cancelRetry = (): void => undefined;
  #cancelSilence = (): void => undefined;

  constructor(options: LiveStreamOptions) {
    this.#options = options;
    options.onState(CONNECTING);
    void this.#connect();
  }

  /** Ends the stream; nothing is called any more. */
  close(): void {
    this.#closing.abort();
    this.#connection.abort();
    this.#cancelRetry();
    this.#cancelSilence();
  }

  /** Connects now where it waits to, such as after the browser is online again. */
  retryNow(): void {
    if (this.#closing.signal.aborted || this.#failures === 0) return;
    this.#cancelRetry();
    this.#connection.abort();
    void this.#connect();
  }

  async #connect(): Promise<void> {
    const connection = new AbortController();
    this.#connection = connection;
    const { signal } = connection;
    const resumesAt = this.#lastEventId;
    this.#awaitNext(connection);
    try {
      const response = await this.#options.fetch(this.#options.url, {
        headers: { accept: 'text/event-stream', ...(resumesAt === null ? {} : { 'last-event-id': resumesAt }) },
        credentials: 'same-origin',
        cache: 'no-store',
        redirect: 'error',
        signal,
      });
      if (!response.ok) throw await readCallError(response);
      if (response.body === null) throw toCallError(null);
      this.#began(resumesAt !== null, connection);
      await this.#readAll(response.body, connection);
      throw new CallError('unreachable', 'The service ended the connection.', 0);
    } catch (error) {
      // A newer connection took its place, or the stream is closed.
      if (this.#connection === connection && !this.#closing.signal.aborted) this.#failed(toCallError(error), resumesAt);
    }
  }

  #began(isResumed: boolean, connection: AbortController): void {
    if (connection.signal.aborted) return;
    this.#options.onState(LIVE);
    this.#options.onBegin?.(isResumed);
  }

  async #readAll(body: ReadableStream<Uint8Array>, connection: AbortController): Promise<void> {
    const parser = createParser({
      onEvent: (event) => {
        if (!connection.signal.aborted) this.#take(event);
      },
    });
    const reader = body.getReader();
    const decoder = new TextDecoder();
    for (;;) {
      const { done, value } = await reader.read();
      if (done || connection.signal.aborted) return;
      this.#failures = 0;
      this.#awaitNext(connection);
      parser.feed(decoder.decode(value, { stream: true }));
    }
  }

  #take({ event, id, data }: EventSourceMessage): void {
    if (id !== undefined) this.#lastEventId = id;
    this.#options.onEvent({ type: event ?? 'message', data: JSON.parse(data) as unknown });
  }

  #failed(error: CallError, resumesAt: string | null): void {
    this.#cancelSilence();
    this.#connection.abort();
    this.#failures += 1;
    // The journal has not reached this sequence: it is another one. The next connection begins anew.
    const cannotResume = error.status === 400 && resumesAt !== null;
    if (cannotResume) this.#lastEventId = null;
    this.#options.onState({ kind: 'reconnecting', message: error.message });
    const afterMs = cannotResume ? 0 : retryMs(error, this.#failures);
    this.#cancelRetry = this.#options.timer.after(afterMs, () => void this.#connect());
  }

  #awaitNext(connection: AbortController): void {
    this.#cancelSilence();
    this.#cancelSilence = this.#options.timer.after(this.#options.silentMs, () => {
      if (this.#connection !== connection) return;
      this.#failed(new CallError('unreachable', 'The connection is silent.', 0), this.#lastEventId);
    });
  }
}

/** The pause before the next connection. */
function retryMs({ status, retryAfterMs }: CallError, failures: number): number {
  const isRefused = status >= 400 && status < 500 && status !== 408 && status !== 429;
  return retryAfterMs ?? (isRefused ? REFUSED_MS : Math.min(RETRY_MS_MAX, RETRY_MS_MIN * 2 ** (failures - 1)));
}
