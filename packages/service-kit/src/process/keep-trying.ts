import { retry } from '@paper/timing';
import type { Logger } from '../logger.ts';
import { createRetryLog } from '../retry-log.ts';
import type { Teardown } from './teardown.ts';

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
  // A process that stops does not wait for the next attempt.
  const after = (ms: number, resume: () => void): (() => void) => {
    const timer = setTimeout(resume, ms);
    if (teardown.begun()) timer.unref();
    return () => clearTimeout(timer);
  };
  const done = await retry(work, {
    clock: { after },
    onFailure(error) {
      if (!teardown.begun()) retries.failed(kind, error);
    },
  });
  retries.works(kind);
  return done;
}
