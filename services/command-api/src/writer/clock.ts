/** What the command side reads time from, so that a test can be time itself. */
export interface Clock {
  /** Wall clock, whole milliseconds since 1970 UTC. */
  now(): number;
  /** Milliseconds from some fixed moment; never goes back, knows nothing of the wall clock. */
  monotonic(): number;
  /** Runs `work` once after that many milliseconds, unless the returned function is called before. */
  after(delayMs: number, work: () => void): () => void;
  /** Runs `work` once what has arrived in this turn of the event loop was taken. */
  soon(work: () => void): void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => Math.floor(performance.now()),
  after: (delayMs, work) => {
    const timer = setTimeout(work, delayMs);
    return () => clearTimeout(timer);
  },
  soon: (work) => void setImmediate(work),
};

/** A wall clock that is further off than this from where the monotonic one says it should be decides nothing. */
const LARGEST_JUMP_MS = 60_000;

/**
 * Reads the wall clock for decisions. A jump of more than 60 s against the monotonic clock makes `read` give null until
 * the wall clock is back; a slow drift moves the expectation along and is no jump.
 */
export class CheckedClock {
  private offsetMs: number;

  constructor(private readonly clock: Clock) {
    this.offsetMs = clock.now() - clock.monotonic();
  }

  /** Whether the wall clock cannot be believed. */
  get jumped(): boolean {
    return this.isOff(this.clock.now() - this.clock.monotonic());
  }

  /** The wall clock's reading, or null while it cannot be believed. */
  read(): number | null {
    const now = this.clock.now();
    const offsetMs = now - this.clock.monotonic();
    if (this.isOff(offsetMs)) return null;
    this.offsetMs = offsetMs;
    return now;
  }

  private isOff(offsetMs: number): boolean {
    return Math.abs(offsetMs - this.offsetMs) > LARGEST_JUMP_MS;
  }
}
