import type { Clock } from '@paper/timing';

/** A clock that stands still until the test moves it. */
export class FakeClock implements Clock {
  #wallMs = 1_750_000_000_000;
  #monotonicMs = 0;
  #asleepMs = 0;
  readonly #timers = new Set<{ readonly dueMs: number; readonly work: () => void }>();

  readonly now = (): number => this.#wallMs;

  readonly monotonic = (): number => this.#monotonicMs;

  readonly sinceBoot = (): number => this.#monotonicMs + this.#asleepMs;

  readonly after = (delayMs: number, work: () => void): (() => void) => {
    const timer = { dueMs: this.#monotonicMs + delayMs, work };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  };

  readonly soon = (work: () => void): void => void setImmediate(work);

  /** The number of timers that have not run. */
  get waiting(): number {
    return this.#timers.size;
  }

  /** Advances both clocks. Due timers run at their times, in order. */
  advance(ms: number): void {
    const untilMs = this.#monotonicMs + ms;
    for (;;) {
      const [next] = [...this.#timers].filter(({ dueMs }) => dueMs <= untilMs).sort((a, b) => a.dueMs - b.dueMs);
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#move(Math.max(0, next.dueMs - this.#monotonicMs));
      next.work();
    }
    this.#move(untilMs - this.#monotonicMs);
  }

  /** Sets the wall clock forward, or back for a negative `ms`. */
  jump(ms: number): void {
    this.#wallMs += ms;
  }

  /** Suspends the machine: the monotonic clock and the timers stand still, while the other clocks go on. */
  sleep(ms: number): void {
    this.#wallMs += ms;
    this.#asleepMs += ms;
  }

  #move(ms: number): void {
    this.#wallMs += ms;
    this.#monotonicMs += ms;
  }
}

/** Resolves in the next iteration of the event loop. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Runs the event loop until the condition holds; fails after very many iterations. */
export async function until(what: string, isSo: () => boolean): Promise<void> {
  for (let turns = 0; turns < 10_000; turns += 1) {
    if (isSo()) return;
    await turn();
  }
  throw new Error(`it did not come to be: ${what}`);
}

/** Advances the clock by 10 ms in each iteration of the event loop until `work` settles, and returns its result. */
export async function meanwhile<T>(clock: FakeClock, work: Promise<T>): Promise<T> {
  const state = { over: false };
  const watched = work.finally(() => {
    state.over = true;
  });
  watched.catch(() => undefined);
  for (let turns = 0; turns < 100_000 && !state.over; turns += 1) {
    await turn();
    clock.advance(10);
  }
  return watched;
}
