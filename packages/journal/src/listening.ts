import { setTimeout as delay } from 'node:timers/promises';

const MAX_BACKOFF_MS = 2_000;

export interface Listening {
  /** Listens until the signal aborts, or throws; calls `connected` when it hears. */
  readonly listen: (connected: () => void) => Promise<void>;
  readonly onError: (error: unknown) => void;
  readonly signal: AbortSignal;
}

/**
 * Listens again, with growing pauses, until the signal aborts. What is announced meanwhile is lost; followers poll as
 * well, so this is only about being quick.
 */
export async function listenWithRetries({ listen, onError, signal }: Listening): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    try {
      await listen(() => (failures = 0));
    } catch (error) {
      onError(error);
      failures += 1;
      await delay(Math.min(MAX_BACKOFF_MS, 50 * 2 ** failures), undefined, { signal }).catch(() => undefined);
    }
  }
}
