import { pause } from './clock.ts';
import type { Clock } from './clock.ts';

interface BackOffLimits {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** The pauses between failing attempts: each is twice as long as the previous one. */
export class BackOff {
  #ms: number;
  #failures = 0;

  /** The default suits a server that restarts: from a tenth of a second to two seconds. */
  constructor(private readonly limits: BackOffLimits = { firstMs: 100, longestMs: 2_000 }) {
    this.#ms = limits.firstMs;
  }

  get ms(): number {
    return this.#ms;
  }

  get failures(): number {
    return this.#failures;
  }

  /** Takes the next pause, in ms, and doubles the one after it. */
  next(): number {
    const ms = this.#ms;
    this.#failures += 1;
    this.#ms = Math.min(this.limits.longestMs, 2 * ms);
    return ms;
  }

  reset(): void {
    this.#failures = 0;
    this.#ms = this.limits.firstMs;
  }
}

interface RetryOptions {
  readonly backOff?: BackOff;
  readonly clock?: Pick<Clock, 'after'>;
  /** Whether another attempt may help; default: always. */
  readonly isTemporary?: (error: unknown) => boolean;
  /** Called with each temporary error, before the pause. */
  readonly onFailure?: (error: unknown) => void;
}

/** Repeats the work, with growing pauses, until it succeeds. Throws the first error that is not temporary. */
export async function retry<T>(work: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { backOff = new BackOff(), clock, isTemporary = () => true, onFailure } = options;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isTemporary(error)) throw error;
      onFailure?.(error);
      await pause(backOff.next(), clock === undefined ? {} : { clock });
    }
  }
}
