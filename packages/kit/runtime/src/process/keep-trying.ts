import { retry } from '@paper/timing';
import type { Logger } from '../logger.ts';
import { createRetryLog } from '../retry-log.ts';
import type { Teardown } from './teardown.ts';

interface Waiting {
  readonly logger: Logger;
  readonly teardown: Teardown;
}

/** Opens a resource with retries until it is available, and registers how it is closed. Never rejects. */
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

/** Repeats the work until it succeeds; `what` completes the log line "cannot … yet". Never rejects. */
export async function keepTryingTo<T>(what: string, work: () => Promise<T>, { logger, teardown }: Waiting): Promise<T> {
  const retries = createRetryLog(logger);
  const kind = `cannot ${what} yet; retrying`;
  // Pauses, unless the process stops: then it does not wait for the next attempt.
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

/**
 * Makes a function that logs failures of one kind: the first, and then their number. Logs none once the process stops,
 * since connections are then cut while they are being closed.
 */
export function logFailuresOf(kind: string, { logger, teardown }: Waiting): (error: unknown) => void {
  const retries = createRetryLog(logger);
  return (error) => {
    if (!teardown.begun()) retries.failed(kind, error);
  };
}
