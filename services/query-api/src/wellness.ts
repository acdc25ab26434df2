import { setTimeout as sleep } from 'node:timers/promises';
import type { Freshness } from '@paper/read-models';

export interface Wellness {
  /** What was so when it was last looked; false before. */
  readonly well: () => boolean;
  readonly stop: () => void;
}

const LOOK_EVERY_MS = 1_000;

/**
 * Whether the service as a whole does what it is for, seen from a process that only reads: the journal answers, the
 * projection follows it, and `taken`: somebody takes commands. Looked at once a second, so that who asks does not wait.
 */
export function watchWellness(freshness: Freshness, taken: () => Promise<boolean>): Wellness {
  const stopping = new AbortController();
  let well = false;
  const watch = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      well = await freshness
        .reached()
        .then(taken, () => false)
        .catch(() => false);
      await sleep(LOOK_EVERY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  void watch();
  return { well: () => well, stop: () => stopping.abort() };
}
