/** A monotonic clock with timers whose time advances only by `advance`. */
export interface FakeClock {
  readonly now: () => number;
  readonly after: (ms: number, work: () => void) => () => void;
  /** Advances by this much; due timers run at their times, in order. */
  readonly advance: (ms: number) => void;
  /** The number of pending timers. */
  readonly waiting: () => number;
}

export function createFakeClock(): FakeClock {
  let nowMs = 0;
  const timers = new Set<{ readonly dueMs: number; readonly work: () => void }>();
  return {
    now: () => nowMs,
    after(ms, work) {
      const timer = { dueMs: nowMs + ms, work };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    advance(ms) {
      const untilMs = nowMs + ms;
      for (;;) {
        const [next] = [...timers].filter(({ dueMs }) => dueMs <= untilMs).sort((a, b) => a.dueMs - b.dueMs);
        if (next === undefined) break;
        timers.delete(next);
        nowMs = next.dueMs;
        next.work();
      }
      nowMs = untilMs;
    },
    waiting: () => timers.size,
  };
}
