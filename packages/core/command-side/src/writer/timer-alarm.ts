import type { Clock } from '@paper/timing';

/** The longest pause between two looks, since the wall clock may be set. */
const LONGEST_SLEEP_MS = 10_000;
/** The pause before another look where a timer is due already: the clock is not trusted, or the journal lags behind. */
const OVERDUE_PAUSE_MS = 1_000;

/** Wakes the writer when the next of the exchange's timers is due: a closing, an expiry, or a dead-man switch. */
export class TimerAlarm {
  #setFor: number | null = null;
  #cancel: () => void = () => undefined;

  constructor(
    private readonly clock: Clock,
    private readonly wake: () => void,
  ) {}

  /** Sets the alarm; null where no timer is armed. Costs nothing where it is set so already. */
  set(atMs: number | null): void {
    if (atMs === this.#setFor) return;
    this.#cancel();
    this.#setFor = atMs;
    if (atMs === null) return;
    const aheadMs = atMs - this.clock.now();
    const delayMs = aheadMs > 0 ? Math.min(LONGEST_SLEEP_MS, aheadMs) : OVERDUE_PAUSE_MS;
    this.#cancel = this.clock.after(delayMs, () => {
      this.#setFor = null;
      this.wake();
    });
  }
}
