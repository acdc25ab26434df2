import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../logger.ts';
import { createRetryLog } from '../retry-log.ts';
import type { Teardown } from './teardown.ts';

const BACK_OFF_MS_MIN = 100;
const BACK_OFF_MS_MAX = 2_000;

/** The logger, and whether the process is stopping. */
interface Waiting {
  readonly logger: Logger;
  readonly teardown: Teardown;
}

/**
 * Opens what may not be there yet, again and again until it is, and notes how it is closed. Rejects never: a service
 * whose servers are away waits for them, says so, and begins by itself when they come.
 */
export async function keepTrying<T extends { close(): Promise<void> }>(
  name: string,
  open: () => Promise<T>,
  waiting: Waiting,
): Promise<T> {
  return keepTryingTo(
    `open the ${name}`,
    async () => {
      const opened = await open();
      await waiting.teardown.add(name, () => opened.close());
      return opened;
    },
    waiting,
  );
}

/** Does what cannot be done yet again and again until it succeeds; `what` completes "cannot … yet". Rejects never. */
export async function keepTryingTo<T>(what: string, work: () => Promise<T>, { logger, teardown }: Waiting): Promise<T> {
  const retries = createRetryLog(logger);
  const kind = `cannot ${what} yet; retrying`;
  for (let backOffMs = BACK_OFF_MS_MIN; ; backOffMs = Math.min(BACK_OFF_MS_MAX, 2 * backOffMs)) {
    try {
      const done = await work();
      retries.works(kind);
      return done;
    } catch (error) {
      if (!teardown.begun()) retries.failed(kind, error);
      await sleep(backOffMs, undefined, { ref: !teardown.begun() });
    }
  }
}
