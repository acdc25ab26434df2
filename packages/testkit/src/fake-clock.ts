/** Time that passes only when it is told to: a monotonic clock with timers. */
export interface FakeClock {
  readonly now: () => number;
  readonly after: (ms: number, work: () => void) => () => void;
  /** Lets this much time pass; what is due meanwhile is done at its time, in order. */
  readonly advance: (ms: number) => void;
  /** Timers that are set. */
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
