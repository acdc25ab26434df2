import type { StoredEvent } from '@paper/journal';

/** More events than the read models are behind under load. */
const EVENTS_MAX = 5_000;

/** The latest followed events of the journal, without a gap. */
export class RecentEvents {
  #events: StoredEvent[] = [];

  /** @param seq the sequence before the events that will be followed */
  constructor(private seq: number) {}

  /** The sequence of the newest event. */
  get newest(): number {
    return this.seq;
  }

  add(page: readonly StoredEvent[]): void {
    this.#events.push(...page);
    this.seq = page.at(-1)?.seq ?? this.seq;
    // Drops many at a time, since an array's shift would move all that follow; so there may be twice as many for a
    // while.
    if (this.#events.length > 2 * EVENTS_MAX) this.#events = this.#events.slice(-EVENTS_MAX);
  }

  /** Whether every event after this sequence is here, up to the newest. */
  covers(after: number): boolean {
    return after >= this.seq - this.#events.length;
  }

  /** The events after a sequence, which `covers` must hold for. */
  since(after: number): readonly StoredEvent[] {
    return after >= this.seq ? [] : this.#events.slice(after - this.seq);
  }
}
