import { pause, systemClock } from '@paper/timing';
import type { Clock } from '@paper/timing';
import type { Tenure } from './lease.ts';

const CHECK_EVERY_MS = 1_000;
/**
 * The number of failed checks in a row, each with a healthy process waiting, after which a holder steps down. So a
 * holder whose server is back has some seconds to notice that, although a waiting process may notice it sooner.
 */
const FAILED_CHECKS = 4;

export interface StepDownOptions {
  readonly tenure: Pick<Tenure, 'hasSuccessor' | 'stepDown'>;
  /** Describes why this process cannot do the lease's work; null while it is healthy. */
  readonly unhealthyReason: () => string | null;
  /** Called each time it steps down. */
  readonly onStepDown: (reason: string) => void;
  readonly clock?: Pick<Clock, 'after'>;
}

/**
 * Checks the health of the lease's holder once a second, beginning at once. A holder that stays unhealthy while another
 * process is healthy steps down once, so that the healthy one takes the lease. If no process is healthy, the holder
 * keeps the lease. Returns a function that ends the checks.
 */
export function stepDownWhenUnhealthy({
  tenure,
  unhealthyReason,
  onStepDown,
  clock = systemClock,
}: StepDownOptions): () => void {
  const stopping = new AbortController();
  const { signal } = stopping;
  const watch = async (): Promise<void> => {
    let failedChecks = 0;
    while (!signal.aborted) {
      const reason = unhealthyReason();
      failedChecks = reason !== null && (await tenure.hasSuccessor()) ? failedChecks + 1 : 0;
      if (reason !== null && failedChecks === FAILED_CHECKS && !isAborted(signal)) {
        onStepDown(reason);
        tenure.stepDown();
      }
      await pause(CHECK_EVERY_MS, { clock, signal });
    }
  };
  void watch();
  return () => stopping.abort();
}

/** The signal aborts while something is waited for, which the compiler does not see. */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}
