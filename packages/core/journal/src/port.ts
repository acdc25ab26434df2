/**
 * The journal's port: one ordered log of events without holes, sequence 1 first. Every adapter passes the contract
 * suite in test/contract.ts. FORMAT.md fixes the texts and the hash.
 */

/** An event as it is stored. `publicText` and `privateText` are RFC 8785 texts; the hash chains over both digests. */
export interface StoredEvent {
  readonly hash: string;
  readonly id: string;
  /** The private part; null if the event has none, or if it was withheld from this reader. */
  readonly privateText: string | null;
  /** SHA-256 (hex) of the private text, given if that text was withheld from this reader. */
  readonly privateDigest?: string;
  readonly publicText: string;
  readonly seq: number;
  readonly type: string;
}

/** The end of the journal: its last sequence and that event's hash. For an empty journal: 0 and 64 zeros. */
export interface Head {
  readonly hash: string;
  readonly seq: number;
}

export const EMPTY_HEAD: Head = { hash: '0'.repeat(64), seq: 0 };

/** The head of a journal that ends with these events; EMPTY_HEAD without events. */
export function headOf(events: readonly StoredEvent[]): Head {
  const last = events.at(-1);
  return last === undefined ? EMPTY_HEAD : { hash: last.hash, seq: last.seq };
}

export function isSameHead(a: Head, b: Head): boolean {
  return a.seq === b.seq && a.hash === b.hash;
}

/** Reads and appends. An instance has at most one append in flight; its caller must ensure that. */
export interface Journal {
  /**
   * Appends the whole batch if the journal ends at `expected`, else nothing. The batch is durable when the promise
   * resolves. Appending the identical batch again at the same position resolves like the first time.
   * @throws AppendUnknown the outcome is not known (timeout, connection lost, disk full): send the same batch again.
   * @throws WrongExpectedHead the journal has another event at that position: there is another writer.
   * @throws AppendRefused the batch can never be stored as it is (too large, a constraint, no permission).
   */
  append(expected: Head, batch: readonly StoredEvent[]): Promise<void>;
  /** Reads the end of the journal. @throws JournalWentBack when the server shows fewer events than before. */
  head(): Promise<Head>;
  /** Reads up to `limit` events from `fromSeq` on, in order; fewer at the end, none beyond it. */
  read(fromSeq: number, limit: number): Promise<readonly StoredEvent[]>;
  /**
   * Yields every event from `fromSeq` on in pages of at most `pageSize`, and then new events as they are appended, also
   * after a lost connection. Ends without an error when the signal aborts. The next page is fetched when the reader
   * takes the last one, and at most 8 MiB of new events wait in memory for a slow reader.
   */
  follow(fromSeq: number, options: FollowOptions): AsyncIterable<readonly StoredEvent[]>;
  /** What can remove stored events, and the command that prevents it, for operators; null: nothing can. */
  readonly threat?: () => string | null;
  close(): Promise<void>;
}

export interface FollowOptions {
  /** Default 5,000. */
  readonly pageSize?: number;
  readonly signal: AbortSignal;
}

/** Forwards every call to this journal, for a wrapper that replaces some of the methods. */
export function forwardTo(journal: Journal): Journal {
  return {
    ...(journal.threat === undefined ? {} : { threat: journal.threat }),
    append: (expected, batch) => journal.append(expected, batch),
    close: () => journal.close(),
    follow: (fromSeq, options) => journal.follow(fromSeq, options),
    head: () => journal.head(),
    read: (fromSeq, limit) => journal.read(fromSeq, limit),
  };
}

/** It is unknown whether the batch was stored. The caller must send the identical batch again. */
export class AppendUnknown extends Error {
  override readonly name = 'AppendUnknown';
}

/** The journal does not end at the expected head, and another event than this batch's follows that head. */
export class WrongExpectedHead extends Error {
  override readonly name = 'WrongExpectedHead';
  constructor(
    readonly expected: Head,
    readonly actual: Head,
  ) {
    super(
      `journal ends at sequence ${String(actual.seq)} (${actual.hash}), expected ${String(expected.seq)} (${expected.hash})`,
    );
  }
}

/** The server shows fewer events than before; after some seconds the adapter accepts that as the journal's end. */
export class JournalWentBack extends Error {
  override readonly name = 'JournalWentBack';
  constructor(
    message: string,
    readonly head: Head,
  ) {
    super(message);
  }
}

/** This batch can never be stored. */
export class AppendRefused extends Error {
  override readonly name = 'AppendRefused';
}

/** The port's error for an append that failed with `cause`. `isTransient`: the same append may succeed later. */
export function appendError(cause: unknown, isTransient: boolean): AppendRefused | AppendUnknown {
  const message = cause instanceof Error ? cause.message : String(cause);
  return isTransient ? new AppendUnknown(message, { cause }) : new AppendRefused(message, { cause });
}

/** The stored journal is damaged: head and events do not agree, or events cannot be read. Nothing may be changed. */
export class JournalDamaged extends Error {
  override readonly name = 'JournalDamaged';
  constructor(
    message: string,
    readonly firstSeq: number | null = null,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
