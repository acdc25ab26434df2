import type { FollowOptions, StoredEvent } from './port.ts';

const PAGE_SIZE = 5_000;
const MAX_BACKOFF_MS = 2_000;

/** Tells waiting followers that there may be more to read. */
export class Wakeups {
  #count = 0;
  readonly #waiting = new Set<() => void>();

  /** Rises with every wake-up. Taken before a read and given to `wait`, no wake-up in between is lost. */
  get count(): number {
    return this.#count;
  }

  wake(): void {
    this.#count += 1;
    for (const resolve of [...this.#waiting]) resolve();
  }

  /** Resolves at a wake-up after `seen`, at the abort, or after `timeoutMs` (null: never by itself). */
  wait(seen: number, timeoutMs: number | null, signal: AbortSignal): Promise<void> {
    if (this.#count !== seen || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = timeoutMs === null ? undefined : setTimeout(done, timeoutMs);
      this.#waiting.add(done);
      signal.addEventListener('abort', done);
    });
  }
}

/** What following needs of a journal. */
export interface FollowSource {
  /** Aborts when the journal is closed; its followers end then. */
  readonly closed: AbortSignal;
  /** How long to trust that no wake-up was lost; null: they never are. */
  readonly pollMs: number | null;
  readonly read: (fromSeq: number, limit: number) => Promise<readonly StoredEvent[]>;
  /** Is told why a read failed; whether it is worth another try. */
  readonly retries: (error: unknown) => boolean;
  readonly wakeups: Wakeups;
}

/**
 * Journal.follow over any journal that can read and wake. While the reader works on a page the next one is fetched,
 * and no more than that one.
 */
export async function* followPages(
  source: FollowSource,
  fromSeq: number,
  { pageSize = PAGE_SIZE, signal: stop }: FollowOptions,
): AsyncGenerator<readonly StoredEvent[], void, undefined> {
  const signal = AbortSignal.any([stop, source.closed]);
  // What was appended after a read began is not in it, so the count of wake-ups is taken before each read.
  const fetch = (from: number): Fetch => ({
    seen: source.wakeups.count,
    page: source.read(from, pageSize),
  });
  let next = fromSeq;
  let failures = 0;
  let ahead: Fetch | null = null;
  while (!signal.aborted) {
    const fetched: Fetch = ahead ?? fetch(next);
    ahead = null;
    let page: readonly StoredEvent[] | null;
    try {
      page = await unlessAborted(fetched.page, signal);
      failures = 0;
    } catch (error) {
      if (!source.retries(error)) throw error;
      failures += 1;
      await source.wakeups.wait(source.wakeups.count, Math.min(MAX_BACKOFF_MS, 50 * 2 ** failures), signal);
      continue;
    }
    if (page === null) return;
    if (page.length === 0) {
      await source.wakeups.wait(fetched.seen, source.pollMs, signal);
      continue;
    }
    checkPage(page, next);
    next += page.length;
    if (page.length === pageSize) {
      ahead = fetch(next);
      // Its failure is met when it is awaited; when the reader stops before that, it is nobody's.
      ahead.page.catch(() => undefined);
    }
    yield page;
  }
}

/** A read under way, and how many wake-ups there had been when it began. */
interface Fetch {
  readonly page: Promise<readonly StoredEvent[]>;
  readonly seen: number;
}

/** A reader that went on over a hole would compute wrong balances, so it must not. */
function checkPage(page: readonly StoredEvent[], fromSeq: number): void {
  for (const [index, event] of page.entries()) {
    if (event.seq !== fromSeq + index) {
      throw new Error(`the journal has a hole: sequence ${event.seq} where ${fromSeq + index} should be`);
    }
  }
}

/** The promise's value, or null as soon as the signal aborts: a read that hangs must not hold a stop up. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const aborted = (): void => resolve(null);
    signal.addEventListener('abort', aborted);
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', aborted));
  });
}
