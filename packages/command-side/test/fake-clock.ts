import type { Clock } from '../src/writer/clock.ts';

/** A clock that stands still until the test moves it. */
export class FakeClock implements Clock {
  private wallMs = 1_750_000_000_000;
  private monotonicMs = 1_000;
  private asleepMs = 0;
  private timers: { readonly atMs: number; readonly work: () => void }[] = [];

  now(): number {
    return this.wallMs;
  }

  monotonic(): number {
    return this.monotonicMs;
  }

  sinceBoot(): number {
    return this.monotonicMs + this.asleepMs;
  }

  after(delayMs: number, work: () => void): () => void {
    const timer = { atMs: this.monotonicMs + delayMs, work };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((other) => other !== timer);
    };
  }

  soon(work: () => void): void {
    setImmediate(work);
  }

  /** Lets time pass on both clocks; what falls due is run in its order. */
  advance(ms: number): void {
    const endMs = this.monotonicMs + ms;
    for (;;) {
      const next = this.timers.filter((timer) => timer.atMs <= endMs).sort((a, b) => a.atMs - b.atMs)[0];
      if (next === undefined) break;
      this.timers = this.timers.filter((timer) => timer !== next);
      this.move(Math.max(0, next.atMs - this.monotonicMs));
      next.work();
    }
    this.move(endMs - this.monotonicMs);
  }

  /** Sets the wall clock forward, or back where `ms` is negative. */
  jump(ms: number): void {
    this.wallMs += ms;
  }

  /** The machine is suspended for so long. */
  sleep(ms: number): void {
    this.wallMs += ms;
    this.asleepMs += ms;
  }

  private move(ms: number): void {
    this.wallMs += ms;
    this.monotonicMs += ms;
  }
}

/** Waits for one turn of the event loop. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Turns the event loop until the condition holds; fails after very many turns. */
export async function until(what: string, isSo: () => boolean): Promise<void> {
  for (let turns = 0; turns < 10_000; turns += 1) {
    if (isSo()) return;
    await turn();
  }
  throw new Error(`it did not come to be: ${what}`);
}

/** Lets time pass, 10 ms a turn of the event loop, until the work is done. */
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
