import { setTimeout as sleep } from 'node:timers/promises';
import { isPassing } from '@paper/read-models';
import { createRetryLog, type Logger } from '@paper/service-kit';
import { Refused } from './api-client.ts';

const PAUSE_MS = 250;
const CANNOT_SEED = 'demo setup failed; retrying';

/** Does the work again as long as what hinders it passes by itself. The work has to bear being done twice. */
export type Persist = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * A process of the database that crashes takes every connection along, and the database is back within seconds. The
 * service goes on by itself and says 503 meanwhile; so must not what it does at its start end it. Gives up when `stopped`.
 */
export function createPersistence(logger: Logger, stopped: () => boolean, pauseMs = PAUSE_MS): Persist {
  const retries = createRetryLog(logger);
  return async (work) => {
    for (;;) {
      try {
        const done = await work();
        retries.works(CANNOT_SEED);
        return done;
      } catch (error) {
        if (stopped() || !passes(error)) throw error;
        retries.failed(CANNOT_SEED, error);
        await sleep(pauseMs);
      }
    }
  };
}

function passes(error: unknown): boolean {
  return error instanceof Refused ? error.status === 503 : isPassing(error);
}
