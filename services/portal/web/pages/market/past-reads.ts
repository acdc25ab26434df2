import { LatestOnly } from './latest-only.ts';
import { pause } from './pause.ts';

/** The states that are kept. A past state never changes. */
const REMEMBERED_MAX = 60;

/** How long the slider must not move before a state is read, since such a read counts as ten in the rate limit. */
const SETTLE_MS = 120;

export interface PastReadsOptions<T> {
  readonly read: (seq: number, signal: AbortSignal) => Promise<T>;
  readonly onShow: (seq: number, state: T) => void;
  readonly onFail: (seq: number, error: unknown) => void;
  readonly settleMs?: number;
}

/** Reads the states that a time slider selects. A newer selection aborts the read; known states show at once. */
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
