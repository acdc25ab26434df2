import { uptime } from 'node:os';

/** The clocks and timers of a process; tests and the simulation use their own. */
export interface Clock {
  /** Wall clock, whole milliseconds since 1970 UTC. It can be set, and advances while the machine is suspended. */
  readonly now: () => number;
  /** Milliseconds that never go back, independent of the wall clock; may stop while the machine is suspended. */
  readonly monotonic: () => number;
  /** Like `monotonic`, but advances while the machine is suspended. Coarse, and slow. */
  readonly sinceBoot: () => number;
  /** Runs `work` once after that many milliseconds, unless the returned function is called before. */
  readonly after: (delayMs: number, work: () => void) => () => void;
  /** Runs `work` once all arrivals of this turn of the event loop were handled. */
  readonly soon: (work: () => void) => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => Math.floor(performance.now()),
  sinceBoot: () => Math.floor(uptime() * 1000),
  after: (delayMs, work) => {
    const timer = setTimeout(work, delayMs);
    return () => clearTimeout(timer);
  },
  soon: (work) => void setImmediate(work),
};

/** Resolves after this many milliseconds, or as soon as the signal aborts. Never rejects. */
export function pause(
  ms: number,
  { clock = systemClock, signal }: { readonly clock?: Pick<Clock, 'after'>; readonly signal?: AbortSignal } = {},
): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      cancel();
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const cancel = clock.after(ms, done);
    signal?.addEventListener('abort', done);
  });
}

/** Runs the work at once and every `intervalMs`, counted from the start; skips missed ticks. Returns how to stop it. */
export function every(intervalMs: number, work: () => void, clock: Pick<Clock, 'after' | 'monotonic'>): () => void {
  const startedMs = clock.monotonic();
  let ticks = 0;
  let cancel = (): void => undefined;
  const tick = (): void => {
    const elapsed = clock.monotonic() - startedMs;
    // A timer may fire a fraction of a millisecond early: the present tick counts as done.
    ticks = Math.max(ticks, Math.floor(elapsed / intervalMs)) + 1;
    cancel = clock.after(ticks * intervalMs - elapsed, tick);
    work();
  };
  tick();
  return () => cancel();
}
