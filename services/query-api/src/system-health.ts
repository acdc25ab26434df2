import type { Freshness } from '@paper/read-models';
import { pause } from '@paper/timing';

const CHECK_EVERY_MS = 1_000;

/** Checks once a second whether the projection follows the journal and, by `taken`, whether commands are accepted. */
export function watchSystemHealth(freshness: Freshness, taken: () => Promise<boolean>) {
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
  return { isHealthy: (): boolean => healthy, stop: (): void => stopping.abort() };
}
