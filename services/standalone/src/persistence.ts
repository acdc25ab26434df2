import { setTimeout as sleep } from 'node:timers/promises';
import { ApiRefusal } from '@paper/contracts';
import { isPassing } from '@paper/read-models';
import { createRetryLog, type Logger } from '@paper/service-kit';

const PAUSE_MS = 250;
const CANNOT_SEED = 'demo setup failed; retrying';

/** Retries the work while its errors are temporary. The work must be safe to repeat. */
export type Persist = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * A crash of one Postgres process closes all connections, and the database is back within seconds. The running service
 * answers 503 meanwhile, and its start must survive this too. Gives up when `stopped`.
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
  return error instanceof ApiRefusal ? error.status === 503 : isPassing(error);
}
