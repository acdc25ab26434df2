import type { Wakeups } from '../follow.ts';
import { listenWithRetries } from '../listening.ts';
import type { Connection } from './connection.ts';
import { subscribe } from './streams.ts';

interface Listening {
  readonly connection: Connection;
  readonly onError: (error: unknown) => void;
  readonly signal: AbortSignal;
  readonly stream: string;
  readonly wakeups: Wakeups;
}

/**
 * Wakes followers when any process appends, until the signal aborts and the connection is closed. A subscription never
 * resumes by itself, so each drop makes another one; where it begins does not matter, for its beginning wakes as well.
 */
export function listenForAppends({ connection, onError, signal, stream, wakeups }: Listening): Promise<void> {
  const listen = async (connected: () => void): Promise<void> => {
    const arrived = (): void => {
      connected();
      wakeups.wake();
    };
    try {
      await connection.streams(null, subscribe(stream, arrived));
    } catch (error) {
      // Closing the connection ends the call with an error.
      if (signal.aborted) return;
      throw error;
    }
    throw new Error('EventStoreDB has ended the subscription to the journal');
  };
  return listenWithRetries({ listen, onError, signal });
}
