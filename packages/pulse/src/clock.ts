/** Time as this package and the gateway use it; tests replace it. */
export interface Clock {
  /** Monotonic, in ms. */
  readonly now: () => number;
  /** Runs the work once after that time, unless the returned function is called before. */
  readonly after: (ms: number, work: () => void) => () => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, work) {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};

/**
 * Runs the work now and then every `intervalMs`, until the returned function is called. Times are counted from the
 * start, so that delays do not add up; ticks that were missed altogether are skipped.
 */
export function every(intervalMs: number, work: () => void, clock: Clock): () => void {
  const startedMs = clock.now();
  let ticks = 0;
  let cancel = (): void => undefined;
  const tick = (): void => {
    const elapsed = clock.now() - startedMs;
    // A timer may fire a fraction of a millisecond early: the present tick counts as done.
    ticks = Math.max(ticks, Math.floor(elapsed / intervalMs)) + 1;
    cancel = clock.after(ticks * intervalMs - elapsed, tick);
    work();
  };
  tick();
  return () => cancel();
}
