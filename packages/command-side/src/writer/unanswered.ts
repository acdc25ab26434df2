import type { PendingCommand } from './command-request.ts';
import type { Clock } from '@paper/timing';

/** A command that has waited this long is answered as unavailable. */
export const LONGEST_WAIT_MS = 5_000;

/**
 * All commands that wait for an answer, in the order of their deadlines. Each new one gets the latest deadline, so that is
 * the order of insertion, and one timer, for the oldest, serves all.
 */
export class Unanswered {
  readonly #pending = new Set<PendingCommand>();
  #cancelTimer: (() => void) | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly expire: (pending: PendingCommand) => void,
  ) {}

  get size(): number {
    return this.#pending.size;
  }

  /** Adds a command, or renews the deadline of one that was added before. */
  add(pending: PendingCommand): void {
    pending.deadlineMs = this.clock.monotonic() + LONGEST_WAIT_MS;
    this.#pending.delete(pending);
    this.#pending.add(pending);
    this.#arm();
  }

  delete(pending: PendingCommand): void {
    this.#pending.delete(pending);
    if (this.#pending.size === 0) this.#disarm();
  }

  all(): readonly PendingCommand[] {
    return [...this.#pending];
  }

  #arm(): void {
    if (this.#cancelTimer !== null) return;
    const [oldest] = this.#pending;
    if (oldest === undefined) return;
    this.#cancelTimer = this.clock.after(Math.max(1, oldest.deadlineMs - this.clock.monotonic()), () => {
      this.#cancelTimer = null;
      this.#sweep();
      this.#arm();
    });
  }

  #disarm(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  #sweep(): void {
    const now = this.clock.monotonic();
    for (const pending of this.#pending) {
      if (pending.deadlineMs > now) return;
      this.expire(pending);
    }
  }
}
