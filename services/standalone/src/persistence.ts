import { isTransient } from '@paper/read-models';
import { createRetryLog } from '@paper/runtime';
import type { Logger } from '@paper/runtime';
import { BackOff, retry } from '@paper/timing';
import { ApiRefusal } from 'paper-trading-client';

const PAUSE_MS = 250;
/** A busy process has not begun a request (408), or cannot answer now (503). */
const TEMPORARY = new Set([408, 503]);
/** The disk is full, or this user's part of it. */
const DISK_FULL = new Set(['ENOSPC', 'EDQUOT']);
const CANNOT_YET = 'the start cannot go on yet; retrying';

/** Retries the work while its errors are temporary. The work must be safe to repeat. */
export type Persist = <T>(work: () => Promise<T>) => Promise<T>;

/** Creates a retry for starts, which must survive that the database is back only within seconds. */
export function createPersistence(logger: Logger, stopped: () => boolean, pauseMs = PAUSE_MS): Persist {
  const retries = createRetryLog(logger);
  return async (work) => {
    const done = await retry(work, {
      backOff: new BackOff({ firstMs: pauseMs, longestMs: pauseMs }),
      isTemporary: (error) => !stopped() && passes(error),
      onFailure: (error) => retries.failed(CANNOT_YET, error),
    });
    retries.works(CANNOT_YET);
    return done;
  };
}

function passes(error: unknown): boolean {
  if (error instanceof ApiRefusal) return TEMPORARY.has(error.status);
  if (!(error instanceof Error)) return false;
  // `TimeoutError` is the HTTP client's error when an answer takes too long.
  const isFullDisk = DISK_FULL.has(String((error as NodeJS.ErrnoException).code));
  return isTransient(error) || isFullDisk || error.name === 'TimeoutError';
}
