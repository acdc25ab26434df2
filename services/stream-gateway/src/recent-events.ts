import type { StoredEvent } from '@paper/journal';

const EVENTS_MAX = 5_000;

/** The latest followed events of the journal, without a gap. */
export class RecentEvents {
  #events: StoredEvent[] = [];

  constructor(private seq: number) {}

  get newest(): number {
    return this.seq;
  }

  add(page: readonly StoredEvent[]): void {
    this.#events.push(...page);
    this.seq = page.at(-1)?.seq ?? this.seq;
    // Drops many at a time, since an array's shift would move all that follow.
    if (this.#events.length > 2 * EVENTS_MAX) this.#events = this.#events.slice(-EVENTS_MAX);
  }

  /** Whether every event after this sequence is here, up to the newest. */
  covers(after: number): boolean {
    return after >= this.seq - this.#events.length;
  }

  since(after: number): readonly StoredEvent[] {
    return after >= this.seq ? [] : this.#events.slice(after - this.seq);
  }
}
