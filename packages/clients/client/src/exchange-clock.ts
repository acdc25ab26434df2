import { pause } from './pause.ts';

/** The exchange's clock, as a client follows it. */
export interface ExchangeClock {
  note(headers: Headers): void;
  /** The exchange's time, in ms since 1970 UTC. */
  now(): Promise<number>;
  /** Waits for a time. Resolves to false if the time will not come, since the signal aborted or the clock has ended. */
  waitUntil(atMs: number, signal?: AbortSignal): Promise<boolean>;
  /** Runs a request once it may be sent. */
  send<T>(work: () => Promise<T>, changes: boolean): Promise<T>;
}

/** The longest time limit that platforms accept. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** The clock of a live exchange: this computer's, corrected by `X-Time` where an answer has it. */
export class LiveClock implements ExchangeClock {
  #aheadMs = 0;

  note(headers: Headers): void {
    const timeMs = timeOf(headers);
    if (timeMs !== null) this.#aheadMs = timeMs - Date.now();
  }

  now(): Promise<number> {
    return Promise.resolve(this.#nowMs);
  }

  async waitUntil(atMs: number, signal?: AbortSignal): Promise<boolean> {
    while (this.#nowMs < atMs && signal?.aborted !== true) {
      await pause(Math.min(TIMER_MS_MAX, atMs - this.#nowMs), signal);
    }
    return signal?.aborted !== true;
  }

  send<T>(work: () => Promise<T>): Promise<T> {
    return work();
  }

  get #nowMs(): number {
    return Date.now() + this.#aheadMs;
  }
}

/** The exchange's time in an answer, in ms since 1970 UTC; null if it has none. */
export function timeOf(headers: Headers): number | null {
  const timeMs = Date.parse(headers.get('x-time') ?? '');
  return Number.isNaN(timeMs) ? null : timeMs;
}

/** Yields the time at once, then every `everyMs`, but for times that pass while its reader is busy. */
export async function* ticks(
  clock: ExchangeClock,
  everyMs: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<number, void, undefined> {
  if (!(everyMs > 0)) throw new RangeError(`every: must be more than 0 ms, not ${everyMs}.`);
  // The clock counts whole milliseconds.
  const periodMs = Math.max(1, everyMs);
  const startMs = await clock.now();
  let dueMs = startMs;
  // Periods are counted, since a sum of fractions would drift.
  for (let periods = 0; await clock.waitUntil(dueMs, signal);) {
    yield await clock.now();
    periods = Math.max(periods, Math.floor(((await clock.now()) - startMs) / periodMs)) + 1;
    dueMs = startMs + periods * periodMs;
  }
}
