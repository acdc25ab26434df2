import type { Clock } from '@paper/timing';

/** The longest pause between two checks of the wall clock, which may be set at any time. */
const LONGEST_SLEEP_MS = 10_000;
/** The pause while a timer is overdue: the clock is not trusted, or the journal lags behind. */
const OVERDUE_PAUSE_MS = 1_000;

/** Wakes the writer when the next of the exchange's timers is due: a closing, an expiry, or a dead-man switch. */
export class TimerAlarm {
  #setFor: number | null = null;
  #cancel: () => void = () => undefined;

  constructor(
    private readonly clock: Clock,
    private readonly wake: () => void,
  ) {}

  /** Sets the alarm; null when no timer is armed. Setting the same time again costs nothing. */
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
