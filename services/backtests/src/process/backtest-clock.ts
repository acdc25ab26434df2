import { systemClock } from '@paper/timing';
import type { Clock } from '@paper/timing';

/**
 * The clock of a backtest: it stands still within a moment, and its owner moves it to the next. Delays are of the wall
 * clock: what the exchange does at a time is decided when the clock is moved there, and everything else that waits is no
 * part of the journal.
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

  /** Moves on; never back. */
  moveTo(ms: number): void {
    if (ms < this.#nowMs) throw new RangeError(`the clock cannot go back from ${this.#nowMs} to ${ms}`);
    this.#nowMs = ms;
  }

  readonly now = (): number => this.#nowMs;
  readonly monotonic = (): number => this.#nowMs - this.#startMs;
  readonly sinceBoot = this.monotonic;
}
