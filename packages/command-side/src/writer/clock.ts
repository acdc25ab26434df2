import { uptime } from 'node:os';

/** The clocks and timers of the command side; tests bring their own. */
export interface Clock {
  /** Wall clock, whole milliseconds since 1970 UTC. */
  now(): number;
  /** Milliseconds from some fixed moment. Never goes back, is independent of the wall clock, and may stop while suspended. */
  monotonic(): number;
  /** As `monotonic`, but goes on while the machine is suspended. Coarse, and too slow to be read for each command. */
  sinceBoot(): number;
  /** Runs `work` once after that many milliseconds, unless the returned function is called before. */
  after(delayMs: number, work: () => void): () => void;
  /** Runs `work` once what has arrived in this turn of the event loop was taken. */
  soon(work: () => void): void;
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
