import { systemClock } from '@paper/timing';
import type { Clock } from '@paper/timing';

/** A clock that stands still within a moment. Delays use the wall clock, since the clock's move decides timers. */
export class BacktestClock implements Clock {
  readonly after = systemClock.after;
  readonly soon = systemClock.soon;
  readonly #startMs: number;
  #nowMs: number;

  constructor(startMs: number) {
    this.#startMs = startMs;
    this.#nowMs = startMs;
  }

  moveTo(ms: number): void {
    if (ms < this.#nowMs) throw new RangeError(`the clock cannot go back from ${this.#nowMs} to ${ms}`);
    this.#nowMs = ms;
  }

  readonly now = (): number => this.#nowMs;
  readonly monotonic = (): number => this.#nowMs - this.#startMs;
  readonly sinceBoot = this.monotonic;
}
