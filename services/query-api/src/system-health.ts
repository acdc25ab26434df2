import type { Freshness } from '@paper/read-models';
import { pause } from '@paper/timing';

export interface SystemHealth {
  /** The result of the last check; false before the first. */
  readonly isHealthy: () => boolean;
  readonly stop: () => void;
}

const CHECK_EVERY_MS = 1_000;

/**
 * Watches the health of the whole service from a process that only reads: the journal answers, the projection follows
 * it, and a writer holds the lease (`taken`). Checks once a second in the background, so that no request waits.
 */
export function watchSystemHealth(freshness: Freshness, taken: () => Promise<boolean>): SystemHealth {
  const stopping = new AbortController();
  let healthy = false;
  const watch = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      healthy = await freshness
        .reached()
        .then(taken, () => false)
        .catch(() => false);
      await pause(CHECK_EVERY_MS, { signal: stopping.signal });
    }
  };
  void watch();
  return { isHealthy: () => healthy, stop: () => stopping.abort() };
}
