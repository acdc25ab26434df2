import { pause, systemClock } from '@paper/timing';
import type { Clock } from '@paper/timing';
import type { Tenure } from './lease.ts';

const CHECK_EVERY_MS = 1_000;
/** The failed checks in a row, each with a healthy process waiting, after which a holder steps down. */
const FAILED_CHECKS = 4;

interface StepDownOptions {
  readonly tenure: Pick<Tenure, 'hasSuccessor' | 'stepDown'>;
  /** Describes why this process cannot do the lease's work; null while it is healthy. */
  readonly unhealthyReason: () => string | null;
  /** Called each time it steps down. */
  readonly onStepDown: (reason: string) => void;
  readonly clock?: Pick<Clock, 'after'>;
}

/** Steps down if the holder stays unhealthy beside a healthy process. The returned function stops the checks. */
export function stepDownWhenUnhealthy(options: StepDownOptions): () => void {
  const { tenure, unhealthyReason, onStepDown, clock = systemClock } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  // A call, because the compiler does not see that the signal aborts during a wait.
  const isStopped = (): boolean => signal.aborted;
  const watch = async (): Promise<void> => {
    let failedChecks = 0;
    while (!isStopped()) {
      const reason = unhealthyReason();
      failedChecks = reason !== null && (await tenure.hasSuccessor()) ? failedChecks + 1 : 0;
      if (reason !== null && failedChecks === FAILED_CHECKS && !isStopped()) {
        onStepDown(reason);
        tenure.stepDown();
      }
      await pause(CHECK_EVERY_MS, { clock, signal });
    }
  };
  void watch();
  return () => stopping.abort();
}
