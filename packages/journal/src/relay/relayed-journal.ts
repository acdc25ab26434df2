import { FollowerQueues } from '../appended-events.ts';
import { Wakeups } from '../follow.ts';
import type { FollowOptions, Head, Journal, StoredEvent } from '../port.ts';
import type { RelayMessage } from './append-relay.ts';
import { unpackEvents } from './packed-events.ts';

export interface RelayedJournalOptions {
  /** The journal with a connection of this thread, for events that were not relayed. It is closed with this one. */
  readonly journal: Journal;
  /** Receives the error of a failed read, and returns whether to try again. */
  readonly retries: (error: unknown) => boolean;
  /** The poll interval of followers, in ms. Default 250. */
  readonly pollMs?: number;
}

/** A journal on another thread than its writer: followers get relayed events, and read the journal where there are none. */
export class RelayedJournal implements Journal {
  readonly #closed = new AbortController();
  readonly #wakeups = new Wakeups();
  readonly #followers = new FollowerQueues();

  constructor(private readonly options: RelayedJournalOptions) {}

  receive(message: RelayMessage): void {
    switch (message.kind) {
      case 'appended': {
        const events = unpackEvents(message.packed);
        this.#followers.offer(events);
        this.#wakeups.wake(events.at(-1)?.seq);
        return;
      }
      case 'unknown':
        this.#followers.clear();
        this.#wakeups.wake();
        return;
      case 'announced':
        this.#wakeups.wake(message.seq);
        return;
    }
  }

  append(expected: Head, batch: readonly StoredEvent[]): Promise<void> {
    return this.options.journal.append(expected, batch);
  }

  head(): Promise<Head> {
    return this.options.journal.head();
  }

  read(fromSeq: number, limit: number): Promise<readonly StoredEvent[]> {
    return this.options.journal.read(fromSeq, limit);
  }

  follow(fromSeq: number, options: FollowOptions): AsyncGenerator<readonly StoredEvent[], void> {
    const { pollMs = 250, retries } = this.options;
    const read = (from: number, limit: number): Promise<readonly StoredEvent[]> => this.read(from, limit);
    const source = { closed: this.#closed.signal, pollMs, read, retries, wakeups: this.#wakeups };
    return this.#followers.follow(source, fromSeq, options);
  }

  close(): Promise<void> {
    this.#closed.abort();
    return this.options.journal.close();
  }
}
