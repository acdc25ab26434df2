import { setTimeout as delay } from 'node:timers/promises';
import { FollowerQueues } from '../appended-events.ts';
import { checkBatch } from '../envelope.ts';
import { Wakeups } from '../follow.ts';
import { EMPTY_HEAD, headOf, isSameHead, JournalWentBack, WrongExpectedHead } from '../port.ts';
import type { FollowOptions, Head, Journal, StoredEvent } from '../port.ts';
import { Appender } from './appender.ts';
import { createClient } from './connection-string.ts';
import { Connection } from './connection.ts';
import { appendFailure, isTransient, NoJournal, WrongVersion } from './failures.ts';
import { parseStoredEvent, streamOf } from './layout.ts';
import { prepareStream } from './prepare.ts';
import { feedByPushes } from './pushed-events.ts';
import { Retention } from './retention.ts';
import { read } from './streams.ts';
import type { ReadRange } from './streams.ts';

export interface EventStoreJournalOptions {
  /** The time limit of an append, in ms; after that its outcome is unknown. Default 5,000. */
  readonly appendTimeoutMs?: number;
  /** `esdb://…` or `esdb+discover://…`, with TLS and credentials. */
  readonly connectionString: string;
  /** Receives the errors that are handled here (a lost connection), for the log. Default: ignored. */
  readonly onError?: (error: unknown) => void;
  /** The poll interval of followers, in ms, for events that no subscription announced. Default 250. */
  readonly pollMs?: number;
  /** The time limit of a read, and of the wait for a server that is starting, in ms. Default 30,000. */
  readonly readTimeoutMs?: number;
  /** The shard, which names the journal on this server: its stream is `exchange-<shard>`. Default `main`. */
  readonly shard?: string;
}

const DEFAULTS: Required<Omit<EventStoreJournalOptions, 'connectionString'>> = {
  appendTimeoutMs: 5_000,
  onError: () => undefined,
  pollMs: 250,
  readTimeoutMs: 30_000,
  shard: 'main',
};

/** The pause before an event is read again that the server may have stored but does not show yet. */
const READ_AGAIN_MS = 5;
const LAST_MOMENT_MS = 1;
/** How long a server that shows fewer events than before may take to find their end. */
const WENT_BACK_MS = 5_000;

/** Opens the journal (FORMAT.md). @throws Error when no leader is reached, or the stream hides events. */
export async function createEventStoreJournal(options: EventStoreJournalOptions): Promise<Journal> {
  const { connectionString, shard, ...limits } = { ...DEFAULTS, ...options };
  const stream = streamOf(shard);
  const connection = new Connection(createClient(connectionString));
  try {
    await prepareStream(connection, stream, limits.readTimeoutMs);
  } catch (error) {
    connection.close();
    throw error;
  }
  return new EventStoreJournal(connection, stream, limits);
}

/**
 * The server compares only a revision, and treats a batch as stored if it finds the batch's ids anywhere. The port
 * promises more: the expected hash is at that sequence, and exactly this batch follows it. If this instance itself
 * appended up to the expected head, the revision proves that. Otherwise, at its first append and after a failed one, it
 * reads the expected event before the append, and the last event of the batch after it.
 */
class EventStoreJournal implements Journal {
  readonly #closed = new AbortController();
  readonly #wakeups = new Wakeups();
  readonly #followers = new FollowerQueues();
  readonly #appender: Appender;
  readonly #retention: Retention;
  /** The head after this instance's last append; null before the first append, and after a failed one. */
  #broughtTo: Head | null = null;
  /** The highest sequence that the server has shown. If it shows less, it has not found its end, or was restored. */
  #highestSeq = 0;
  /** The monotonic time in ms since which the server shows fewer events than before; or null. */
  #lowerSinceMs: number | null = null;
  /** The server's pushes, only while there is a follower: else they would double the work for each event. */
  #pushes: { readonly stop: AbortController; readonly ended: Promise<void> } | null = null;

  constructor(
    private readonly connection: Connection,
    private readonly stream: string,
    private readonly limits: Omit<typeof DEFAULTS, 'shard'>,
  ) {
    this.#appender = new Appender(connection, stream);
    const { onError, readTimeoutMs: timeoutMs } = limits;
    this.#retention = new Retention({ connection, onError, signal: this.#closed.signal, stream, timeoutMs });
  }

  readonly threat = (): string | null => this.#retention.threat;

  async append(expected: Head, batch: readonly StoredEvent[]): Promise<void> {
    checkBatch(expected, batch);
    const end = headOf(batch);
    const certain = this.#broughtTo !== null && isSameHead(this.#broughtTo, expected);
    this.#broughtTo = null;
    const timeLeft = countdown(this.limits.appendTimeoutMs);
    let stored: boolean;
    try {
      stored = certain
        ? await this.#write(expected, batch, timeLeft)
        : // An event that the server does not show yet may be stored all the same, so the server decides.
          (await this.#stands(expected, timeLeft())) !== false &&
          (await this.#write(expected, batch, timeLeft)) &&
          (await this.#isShown(expected, end, end.seq, timeLeft));
    } catch (error) {
      this.#readAgain();
      throw appendFailure(error);
    }
    if (!stored) {
      this.#readAgain();
      // If the head cannot be read either, the outcome of the append stays unknown.
      const actual = await this.head().catch((error: unknown) => Promise.reject(appendFailure(error)));
      throw new WrongExpectedHead(expected, actual);
    }
    this.#broughtTo = end;
    this.#highestSeq = Math.max(this.#highestSeq, end.seq);
    this.#followers.offer(batch);
    this.#wakeups.wake(end.seq);
  }

  async head(): Promise<Head> {
    let head: Head;
    // A server that was just connected to may have just started, so it gets the full time to find its end again.
    if (!this.connection.leads) this.#lowerSinceMs = null;
    do {
      await this.connection.requireLeader(this.limits.readTimeoutMs);
      head = await this.#last(this.limits.readTimeoutMs);
      // The read itself may have used a new connection, to a server that has just started.
    } while (!this.connection.leads);
    this.#checkGrowth(head);
    return head;
  }

  /**
   * A leader that shows fewer events than before may need a moment to find the end of its stream. After that it was
   * restored from an older backup, and what it shows is the journal.
   * @throws JournalWentBack
   */
  #checkGrowth(head: Head): void {
    if (head.seq < this.#highestSeq) {
      const nowMs = performance.now();
      this.#lowerSinceMs ??= nowMs;
      const message = `EventStoreDB shows the journal up to sequence ${head.seq}, and it has had ${this.#highestSeq}`;
      if (nowMs - this.#lowerSinceMs < WENT_BACK_MS) throw new JournalWentBack(message, head);
      this.limits.onError(new JournalWentBack(`${message}: it was restored from an older backup`, head));
    }
    this.#lowerSinceMs = null;
    this.#highestSeq = head.seq;
  }

  async read(fromSeq: number, limit: number): Promise<readonly StoredEvent[]> {
    const events = await this.#read({ count: limit, fromSeq }, this.limits.readTimeoutMs);
    for (const [index, { seq }] of events.entries()) {
      if (seq === fromSeq + index) continue;
      throw new NoJournal(`stream ${this.stream} has a hole: sequence ${seq} where ${fromSeq + index} should be`);
    }
    return events;
  }

  async *follow(fromSeq: number, options: FollowOptions): AsyncGenerator<readonly StoredEvent[], void> {
    const { onError, pollMs } = this.limits;
    const pushes = (this.#pushes ??= this.#feedFollowers());
    const source = {
      closed: this.#closed.signal,
      pollMs,
      read: (from: number, limit: number): Promise<readonly StoredEvent[]> => this.read(from, limit),
      retries: (error: unknown): boolean => {
        onError(error);
        return isTransient(error);
      },
      wakeups: this.#wakeups,
    };
    try {
      yield* this.#followers.follow(source, fromSeq, options);
    } finally {
      if (this.#followers.isEmpty) {
        pushes.stop.abort();
        this.#pushes = null;
      }
    }
  }

  async close(): Promise<void> {
    if (this.#closed.signal.aborted) return;
    const pushes = this.#pushes;
    this.#closed.abort();
    this.#appender.close();
    this.connection.close();
    await pushes?.ended;
  }

  #feedFollowers(): { readonly stop: AbortController; readonly ended: Promise<void> } {
    const stop = new AbortController();
    const ended = feedByPushes({
      connection: this.connection,
      onError: this.limits.onError,
      queues: this.#followers,
      signal: AbortSignal.any([stop.signal, this.#closed.signal]),
      stream: this.stream,
      wakeups: this.#wakeups,
    });
    return { stop, ended };
  }

  /** Makes the followers read the journal again, since it may not end where this instance expected. */
  #readAgain(): void {
    this.#followers.clear();
    this.#wakeups.wake();
  }

  /** Appends the batch. Resolves to whether it is stored after `expected`, by this attempt or an earlier one. */
  async #write(expected: Head, batch: readonly StoredEvent[], timeLeft: () => number): Promise<boolean> {
    const end = headOf(batch);
    try {
      const endSeq = await this.#appender.append(expected.seq, batch, timeLeft());
      if (endSeq === end.seq) return true;
      throw new NoJournal(`stream ${this.stream} has put sequence ${end.seq} at ${endSeq}: it was deleted before`);
    } catch (error) {
      if (!(error instanceof WrongVersion)) throw error;
      return this.#isShown(expected, end, error.endSeq, timeLeft);
    }
  }

  /**
   * Whether both heads are stored, once the server shows all events up to `shownSeq`: its readers see an append
   * slightly later than its writer, and much later while it starts. Not shown in time counts as unknown.
   */
  async #isShown(expected: Head, end: Head, shownSeq: number, timeLeft: () => number): Promise<boolean> {
    while ((await this.#last(timeLeft())).seq < shownSeq) {
      if (timeLeft() === LAST_MOMENT_MS) throw new Error(`EventStoreDB does not show sequence ${shownSeq} yet`);
      await delay(READ_AGAIN_MS);
    }
    return (await this.#stands(expected, timeLeft())) === true && (await this.#stands(end, timeLeft())) === true;
  }

  /** Whether the journal has this hash at this sequence; null if it has no event there. */
  async #stands({ hash, seq }: Head, timeoutMs: number): Promise<boolean | null> {
    if (seq === 0) return hash === EMPTY_HEAD.hash;
    const [event] = await this.#read({ count: 1, fromSeq: seq }, timeoutMs);
    return event === undefined ? null : event.hash === hash;
  }

  async #last(timeoutMs: number): Promise<Head> {
    return headOf(await this.#read('last', timeoutMs));
  }

  #read(range: ReadRange, timeoutMs: number): Promise<readonly StoredEvent[]> {
    return this.connection.streams(timeoutMs, read(this.stream, range, parseStoredEvent));
  }
}

/** The time left of this many milliseconds; never zero, so that a late call can still report its error. */
function countdown(ms: number): () => number {
  const until = performance.now() + ms;
  return () => Math.max(LAST_MOMENT_MS, until - performance.now());
}
