import { checkBatch } from '../envelope.ts';
import { followPages, Wakeups } from '../follow.ts';
import { EMPTY_HEAD, isSameHead, WrongExpectedHead } from '../port.ts';
import type { Head, Journal, StoredEvent } from '../port.ts';

/** The events of a log, oldest first: an array, or an object that holds only the newest events in memory. */
export type LogEvents = Pick<StoredEvent[], 'at' | 'length' | 'push' | 'slice'>;

/** The contents of a memory journal. Its instances share them, as clients share a database. */
export interface MemoryLog<Events extends LogEvents = StoredEvent[]> {
  readonly events: Events;
  readonly wakeups: Wakeups;
}

export function createMemoryLog(): MemoryLog;
export function createMemoryLog<Events extends LogEvents>(events: Events): MemoryLog<Events>;
export function createMemoryLog(events: LogEvents = []): MemoryLog<LogEvents> {
  return { events, wakeups: new Wakeups() };
}

/** A journal for tests and simulations, by the port's contract, that lives as long as its log. */
export function createMemoryJournal(log: MemoryLog<LogEvents> = createMemoryLog()): Journal {
  const { events, wakeups } = log;
  const closed = new AbortController();
  const head = (): Head => headAt(events, events.length);
  const read = (fromSeq: number, limit: number): Promise<readonly StoredEvent[]> =>
    Promise.resolve(events.slice(fromSeq - 1, fromSeq - 1 + limit));
  const append = (expected: Head, batch: readonly StoredEvent[]): void => {
    checkBatch(expected, batch);
    const actual = head();
    if (isSameHead(actual, expected)) {
      events.push(...batch);
      wakeups.wake();
      return;
    }
    const resent =
      isSameHead(headAt(events, expected.seq), expected) &&
      batch.every((event) => events.at(event.seq - 1)?.hash === event.hash);
    if (!resent) throw new WrongExpectedHead(expected, actual);
  };
  return {
    append: (expected, batch) =>
      new Promise((resolve) => {
        append(expected, batch);
        resolve();
      }),
    close: () => {
      closed.abort();
      return Promise.resolve();
    },
    follow: (fromSeq, options) =>
      followPages({ closed: closed.signal, pollMs: null, read, retries: () => false, wakeups }, fromSeq, options),
    head: () => Promise.resolve(head()),
    read,
  };
}

function headAt(events: LogEvents, seq: number): Head {
  const last = seq === 0 ? undefined : events.at(seq - 1);
  return last === undefined ? EMPTY_HEAD : { hash: last.hash, seq };
}
