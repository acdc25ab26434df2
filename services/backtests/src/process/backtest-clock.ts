import { systemClock } from '@paper/timing';
import type { Clock } from '@paper/timing';

/**
 * The clock of a backtest. It stands still within a moment, and its owner moves it to the next moment. Delays use the
 * wall clock instead: timers of the exchange are decided when the clock moves, and no other delay affects the journal.
 */
export class BacktestClock implements Clock {
  readonly after = systemClock.after;
  readonly soon = systemClock.soon;
  readonly #startMs: number;
  #nowMs: number;

  constructor(startMs: number) {
    this.#startMs = startMs;
    this.#nowMs = startMs;
  }

  /** Moves the clock forward, and never back. */
  moveTo(ms: number): void {
    if (ms < this.#nowMs) throw new RangeError(`the clock cannot go back from ${this.#nowMs} to ${ms}`);
    this.#nowMs = ms;
  }

  readonly now = (): number => this.#nowMs;
  readonly monotonic = (): number => this.#nowMs - this.#startMs;
  readonly sinceBoot = this.monotonic;
}
