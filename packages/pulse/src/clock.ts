/** Time as this package and the gateway use it; tests bring their own. */
export interface Clock {
  /** Monotonic, in ms. */
  readonly now: () => number;
  /** Does the work once, that much later, unless the returned function is called before. */
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
 * Does the work now and then every `intervalMs`, until the returned function is called. Times are counted from the
 * start, so that lateness does not add up; a time that has passed altogether is left out.
 */
export function every(intervalMs: number, work: () => void, clock: Clock): () => void {
  const startedMs = clock.now();
  let ticks = 0;
  let cancel = (): void => undefined;
  const tick = (): void => {
    const elapsed = clock.now() - startedMs;
    // A timer may be a fraction of a millisecond early: the tick that is being done counts as done.
    ticks = Math.max(ticks, Math.floor(elapsed / intervalMs)) + 1;
    cancel = clock.after(ticks * intervalMs - elapsed, tick);
    work();
  };
  tick();
  return () => cancel();
}
