import type { Ticket } from './ask.ts';
import type { Clock } from './clock.ts';

/** A command that has waited this long is answered 503. */
export const LONGEST_WAIT_MS = 5_000;

/**
 * Everyone who waits for an answer, in the order of their deadlines: each new one gets the latest, so the order of
 * insertion is that order, and one timer, for the oldest, serves all.
 */
export class Unanswered {
  private readonly tickets = new Set<Ticket>();
  private cancelTimer: (() => void) | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly expire: (ticket: Ticket) => void,
  ) {}

  get size(): number {
    return this.tickets.size;
  }

  /** Adds one, or gives one that is there a new full wait. */
  add(ticket: Ticket): void {
    ticket.deadlineMs = this.clock.monotonic() + LONGEST_WAIT_MS;
    this.tickets.delete(ticket);
    this.tickets.add(ticket);
    this.arm();
  }

  delete(ticket: Ticket): void {
    this.tickets.delete(ticket);
    if (this.tickets.size === 0) this.disarm();
  }

  all(): readonly Ticket[] {
    return [...this.tickets];
  }

  private arm(): void {
    if (this.cancelTimer !== null) return;
    const [oldest] = this.tickets;
    if (oldest === undefined) return;
    this.cancelTimer = this.clock.after(Math.max(1, oldest.deadlineMs - this.clock.monotonic()), () => {
      this.cancelTimer = null;
      this.sweep();
      this.arm();
    });
  }

  private disarm(): void {
    this.cancelTimer?.();
    this.cancelTimer = null;
  }

  private sweep(): void {
    const now = this.clock.monotonic();
    for (const ticket of this.tickets) {
      if (ticket.deadlineMs > now) return;
      this.expire(ticket);
    }
  }
}
