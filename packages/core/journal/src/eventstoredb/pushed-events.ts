import { systemClock } from '@paper/timing';
import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import { listenWithRetries } from '../listening.ts';
import type { FollowerQueues } from '../appended-events.ts';
import type { Wakeups } from '../follow.ts';
import type { StoredEvent } from '../port.ts';
import type { Connection } from './connection.ts';
import { parseStoredEvent } from './layout.ts';
import { follow } from './streams.ts';

/** Pushes come one by one, and are delivered together once none came for QUIET_MS, at the latest after LONGEST_MS. */
const QUIET_MS = 1;
const LONGEST_MS = 5;

export interface Pushing {
  readonly connection: Connection;
  readonly onError: (error: unknown) => void;
  readonly queues: FollowerQueues;
  readonly signal: AbortSignal;
  readonly stream: string;
  readonly wakeups: Wakeups;
}

/**
 * Feeds followers with the committed events of all processes, until the signal aborts, so that they need not read them.
 * A subscription never resumes by itself, so each drop makes another one. It may begin anywhere: its beginning empties
 * the queues and wakes the followers, which then read the journal.
 */
export function feedByPushes({ connection, onError, queues, signal, stream, wakeups }: Pushing): Promise<void> {
  const burst = new Burst((events) => {
    queues.offer(events);
    wakeups.wake(events.at(-1)?.seq);
  });
  const readAgain = (): void => {
    burst.clear();
    queues.clear();
    wakeups.wake();
  };
  const listen = (connected: () => void): Promise<void> => {
    const arrived = (message: ReadResp): void => {
      if (message.hasConfirmation()) {
        connected();
        readAgain();
      } else if (message.hasEvent()) {
        try {
          burst.add(parseStoredEvent(message));
        } catch {
          // Another program wrote to the stream: the followers' next read reports it.
          readAgain();
        }
      }
    };
    return follow(connection, stream, arrived, signal, 'the journal');
  };
  signal.addEventListener('abort', () => burst.clear());
  return listenWithRetries({ listen, onError, signal });
}

/** Collects events that arrive shortly after each other: empty → collecting → delivered, and so empty again. */
class Burst {
  #events: StoredEvent[] = [];
  #seen = 0;
  #sinceMs = 0;
  #cancel: (() => void) | null = null;

  constructor(private readonly deliver: (events: readonly StoredEvent[]) => void) {}

  add(event: StoredEvent): void {
    this.#events.push(event);
    if (this.#cancel !== null) return;
    this.#sinceMs = performance.now();
    this.#wait();
  }

  clear(): void {
    this.#cancel?.();
    this.#cancel = null;
    this.#events = [];
  }

  #wait(): void {
    this.#seen = this.#events.length;
    this.#cancel = systemClock.after(QUIET_MS, () => {
      if (this.#events.length > this.#seen && performance.now() - this.#sinceMs < LONGEST_MS) {
        this.#wait();
        return;
      }
      const events = this.#events;
      this.clear();
      this.deliver(events);
    });
  }
}
