import { BackOff, pause } from '@paper/timing';

export interface Listening {
  /** Listens until the signal aborts, or throws. Calls `connected` once the connection listens. */
  readonly listen: (connected: () => void) => Promise<void>;
  readonly onError: (error: unknown) => void;
  readonly signal: AbortSignal;
}

/** Listens again after each failure. What is announced in between is lost, but followers also poll. */
export async function listenWithRetries({ listen, onError, signal }: Listening): Promise<void> {
  const backOff = new BackOff();
  while (!signal.aborted) {
    try {
      await listen(() => backOff.reset());
    } catch (error) {
      onError(error);
      await pause(backOff.next(), { signal });
    }
  }
}
