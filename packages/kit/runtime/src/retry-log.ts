import type { Clock } from '@paper/timing';
import type { Logger } from 'pino';

const QUIET_MS = 60_000;

/**
 * Logs repeated failures by kind: the first at once, then their number once a minute, and that the work succeeds again.
 * A failure within a minute of a success belongs to the same series.
 */
export interface RetryLog {
  /** Logs a failure. `kind` is the message, so it must be the same for each failure of a kind. */
  failed(kind: string, error: unknown, fields?: object): void;
  /** Marks a kind as working again; does nothing if it has not failed. */
  works(kind: string): void;
}

interface Failing {
  /** The number of failures since the last line. */
  count: number;
  all: number;
  error: unknown;
  works: boolean;
  /** Whether it failed again after a success: then only the minute's line reports the result. */
  alternates: boolean;
}

export function createRetryLog(logger: Pick<Logger, 'warn'>, after: Clock['after'] = unreferenced): RetryLog {
  const failing = new Map<string, Failing>();

  const lookAgain = (kind: string, state: Failing): void =>
    void after(QUIET_MS, () => {
      if (state.count === 0) {
        failing.delete(kind);
        if (state.works && !state.alternates) return;
        logger.warn({ failures: state.all }, `${kind}: ${state.works ? 'works again' : 'not for a minute now'}`);
        return;
      }
      logger.warn({ failures: state.count, reason: reasonOf(state.error) }, `${kind}: still, in the last minute`);
      state.count = 0;
      lookAgain(kind, state);
    });
  return {
    failed(kind, error, fields = {}) {
      const known = failing.get(kind);
      if (known !== undefined) {
        known.count += 1;
        known.all += 1;
        known.error = error;
        known.alternates ||= known.works;
        known.works = false;
        return;
      }
      logger.warn({ ...fields, err: error }, kind);
      const state: Failing = { all: 1, alternates: false, count: 0, error, works: false };
      failing.set(kind, state);
      lookAgain(kind, state);
    },
    works(kind) {
      const state = failing.get(kind);
      if (state === undefined || state.works) return;
      state.works = true;
      if (state.alternates) return;
      state.count = 0;
      logger.warn({ failures: state.all }, `${kind}: works again`);
    },
  };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // An error that combines several addresses has no message of its own.
  return error.message === '' && 'code' in error ? String(error.code) : error.message;
}

const unreferenced: Clock['after'] = (ms, work) => {
  const timer = setTimeout(work, ms).unref();
  return () => clearTimeout(timer);
};
