import { pause } from '@paper/timing';
import type { Clock } from '@paper/timing';

/**
 * The most missed events in any second for all streams of a fleet, a primary account with its sub-accounts (http-rules,
 * Rate limits).
 */
const EVENTS_PER_SECOND = 5_000;
export const SLICE = 100;
/** The time for one event. A second can have two slices more: its first, and one that came early. */
const MS_PER_EVENT = 1_000 / (EVENTS_PER_SECOND - 2 * SLICE);
/** The number of fleets above which those that may send at once are dropped. */
const FLEETS_MAX = 1_000;

/** Limits the pace at which fleets are sent the events that their streams missed. */
export class ReplayPace {
  /** The time, by the monotonic clock, at which each fleet may be sent further events. */
  readonly #dueMs = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  /** Counts events of a fleet, and resolves when they may be sent, or the signal aborts. */
  async turn(fleet: string, events: number, signal: AbortSignal): Promise<void> {
    const waitMs = this.#waitMs(fleet);
    this.charge(fleet, events);
    // Up to a slice may come early, so that small pages need no timer each.
    if (waitMs > SLICE * MS_PER_EVENT) await pause(waitMs, { clock: this.clock, signal });
  }

  charge(fleet: string, events: number): void {
    if (events === 0) return;
    const nowMs = this.clock.monotonic();
    this.#dueMs.set(fleet, nowMs + this.#waitMs(fleet) + events * MS_PER_EVENT);
    if (this.#dueMs.size <= FLEETS_MAX) return;
    for (const [other, dueMs] of this.#dueMs) if (dueMs <= nowMs) this.#dueMs.delete(other);
  }

  #waitMs(fleet: string): number {
    return Math.max(0, (this.#dueMs.get(fleet) ?? 0) - this.clock.monotonic());
  }
}
