import { systemClock } from '@paper/timing';
import type { Clock } from '@paper/timing';
import type { Tenure } from './lease.ts';

const CHECK_EVERY_MS = 1_000;
/** Failed checks in a row after which a holder steps down. A process that was suspended sees only one. */
const FAILED_CHECKS = 4;
/**
 * The holder steps down again after this many further failed checks, so where no process is healthy, it leads most of the
 * time.
 */
const FAILED_CHECKS_AGAIN = 20;

export interface StepDownOptions {
  readonly tenure: Pick<Tenure, 'stepDown'>;
  /** Why this process cannot do what the lease is for, in words; null while it is healthy. */
  readonly unhealthyReason: () => string | null;
  /** Called each time it steps down. */
  readonly onStepDown: (reason: string) => void;
  readonly clock?: Pick<Clock, 'after'>;
}

/**
 * Checks the health of the lease's holder once a second, beginning at once. A holder that stays unhealthy steps down, so
 * that a healthy process takes the lease. Returns a function that ends the checks.
 */
export function stepDownWhenUnhealthy({
  tenure,
  unhealthyReason,
  onStepDown,
  clock = systemClock,
}: StepDownOptions): () => void {
  let failedChecks = 0;
  let stop: () => void = () => undefined;
  const check = (): void => {
    const reason = unhealthyReason();
    failedChecks = reason === null ? 0 : failedChecks + 1;
    if (reason !== null && failedChecks % FAILED_CHECKS_AGAIN === FAILED_CHECKS) {
      onStepDown(reason);
      tenure.stepDown();
    }
    stop = clock.after(CHECK_EVERY_MS, check);
  };
  check();
  return () => stop();
}
