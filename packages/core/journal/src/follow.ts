import { BackOff, pause } from '@paper/timing';
import type { FollowOptions, StoredEvent } from './port.ts';

const PAGE_SIZE = 5_000;

/** The number of wake-ups at one moment. */
export interface WakeupCount {
  readonly count: number;
  readonly unnumbered: number;
}

/** Wakes waiting followers when there may be more to read. */
export class Wakeups {
  #count = 0;
  #unnumbered = 0;
  #highestSeq = 0;
  readonly #waiting = new Set<() => void>();

  /** The number of wake-ups so far. Given to `wait`, a number from before a read loses no wake-up since then. */
  get seen(): WakeupCount {
    return { count: this.#count, unnumbered: this.#unnumbered };
  }

  /** Wakes the followers, except those that have reached `seq`, where the journal is reported to end. */
  wake(seq?: number): void {
    this.#count += 1;
    if (seq === undefined || !Number.isSafeInteger(seq)) this.#unnumbered += 1;
    else this.#highestSeq = Math.max(this.#highestSeq, seq);
    for (const wake of [...this.#waiting]) wake();
  }

  /** Resolves at a wake-up after `seen` that may concern `nextSeq` or later, at an abort, or after `timeoutMs`. */
  wait(seen: WakeupCount, nextSeq: number, timeoutMs: number | null, signal: AbortSignal): Promise<void> {
    const isNews = (): boolean =>
      this.#unnumbered !== seen.unnumbered || (this.#count !== seen.count && this.#highestSeq >= nextSeq);
    if (isNews() || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const wake = (): void => {
        if (isNews()) done();
      };
      const timer = timeoutMs === null ? undefined : setTimeout(done, timeoutMs);
      this.#waiting.add(wake);
      signal.addEventListener('abort', done);
    });
  }
}

/** Grants this many reads a second, and as many at once after a pause. */
class ReadBudget {
  #left: number;
  #atMs = performance.now();

  constructor(private readonly perSecond: number) {
    this.#left = perSecond;
  }

  take(): number {
    const nowMs = performance.now();
    this.#left = Math.min(this.perSecond, this.#left + ((nowMs - this.#atMs) / 1_000) * this.perSecond) - 1;
    this.#atMs = nowMs;
    return this.#left >= 0 ? 0 : (-this.#left / this.perSecond) * 1_000;
  }
}

/** The part of a journal that `follow` uses. */
export interface FollowSource {
  /** Aborts when the journal is closed, which ends its followers. */
  readonly closed: AbortSignal;
  /** The wait for a wake-up before the journal is polled, in ms; null: wake-ups are never lost. */
  readonly pollMs: number | null;
  /** The most reads a second that find nothing, where others can make false wake-ups. Default: no limit. */
  readonly emptyReadsPerSecond?: number;
  readonly read: (fromSeq: number, limit: number) => Promise<readonly StoredEvent[]>;
  /** Receives the error of a failed read, and returns whether to try again. */
  readonly retries: (error: unknown) => boolean;
  readonly wakeups: Wakeups;
}

/** Implements Journal.follow for a journal that can read and wake. Fetches one page while the reader has the last. */
export async function* followPages(
  source: FollowSource,
  fromSeq: number,
  { pageSize = PAGE_SIZE, signal: stop }: FollowOptions,
): AsyncGenerator<readonly StoredEvent[], void, undefined> {
  const signal = AbortSignal.any([stop, source.closed]);
  // A read does not contain events appended after it began, so wake-ups are counted before each read.
  const fetch = (from: number): Fetch => ({ seen: source.wakeups.seen, page: source.read(from, pageSize) });
  const budget = new ReadBudget(source.emptyReadsPerSecond ?? Infinity);
  let next = fromSeq;
  const backOff = new BackOff();
  let ahead: Fetch | null = null;
  while (!signal.aborted) {
    const fetched: Fetch = ahead ?? fetch(next);
    ahead = null;
    let page: readonly StoredEvent[] | null;
    try {
      page = await unlessAborted(fetched.page, signal);
      backOff.reset();
    } catch (error) {
      if (!source.retries(error)) throw error;
      await source.wakeups.wait(source.wakeups.seen, next, backOff.next(), signal);
      continue;
    }
    if (page === null) return;
    if (page.length === 0) {
      const pauseMs = budget.take();
      if (pauseMs > 0) await pause(pauseMs, { signal });
      await source.wakeups.wait(fetched.seen, next, source.pollMs, signal);
      continue;
    }
    checkPage(page, next);
    next += page.length;
    if (page.length === pageSize) {
      ahead = fetch(next);
      // The read's failure is handled where the page is awaited. If the reader stops before that, it is ignored.
      ahead.page.catch(() => undefined);
    }
    yield page;
    // A short page ends where the journal ended when it was read: there is nothing to read before the next wake-up.
    if (page.length < pageSize) await source.wakeups.wait(fetched.seen, next, source.pollMs, signal);
  }
}

interface Fetch {
  readonly page: Promise<readonly StoredEvent[]>;
  readonly seen: WakeupCount;
}

/** Refuses a page with a gap: a reader that skipped an event would compute wrong balances. */
function checkPage(page: readonly StoredEvent[], fromSeq: number): void {
  for (const [index, event] of page.entries()) {
    if (event.seq !== fromSeq + index) {
      throw new Error(`the journal has a hole: sequence ${event.seq} where ${fromSeq + index} should be`);
    }
  }
}

/** The promise's value, or null as soon as the signal aborts: a read that hangs must not delay a stop. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const aborted = (): void => resolve(null);
    signal.addEventListener('abort', aborted);
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', aborted));
  });
}
