import { LatestOnly } from './latest-only.ts';
import { pause } from './pause.ts';

/** Each belongs to one sequence and never changes. */
const REMEMBERED_MAX = 60;

/** How long the slider rests on a step before it is read: that costs as much of the rate limit as ten other reads. */
const SETTLE_MS = 120;

export interface PastReadsOptions<T> {
  readonly read: (seq: number, signal: AbortSignal) => Promise<T>;
  readonly onShow: (seq: number, state: T) => void;
  readonly onFail: (seq: number, error: unknown) => void;
  readonly settleMs?: number;
}

/** Reads the moment that a time slider shows: aborts a request for an earlier one, shows a remembered one at once. */
export class PastReads<T> {
  readonly #latest = new LatestOnly();
  readonly #remembered = new Map<number, T>();

  constructor(private readonly options: PastReadsOptions<T>) {}

  async show(seq: number): Promise<void> {
    const { read, onShow, onFail, settleMs = SETTLE_MS } = this.options;
    const known = this.#remembered.get(seq);
    if (known !== undefined) {
      this.#latest.abort();
      onShow(seq, known);
      return;
    }
    try {
      const answer = await this.#latest.run(async (signal) => {
        await pause(settleMs, signal);
        return read(seq, signal);
      });
      if (answer === null) return;
      this.#remember(seq, answer.value);
      onShow(seq, answer.value);
    } catch (error) {
      onFail(seq, error);
    }
  }

  stop(): void {
    this.#latest.abort();
  }

  #remember(seq: number, state: T): void {
    this.#remembered.set(seq, state);
    const oldest = this.#remembered.keys().next();
    if (this.#remembered.size > REMEMBERED_MAX && oldest.done !== true) this.#remembered.delete(oldest.value);
  }
}
