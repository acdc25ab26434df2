import type { StoredEvent } from './port.ts';

/** The maximum size of a queue, in characters of its texts. A follower that is further behind reads the journal. */
const QUEUE_MAX = 8 * 1024 * 1024;

/** Characters that an event takes in addition to its texts: hash, id, type. */
const OTHER_CHARACTERS = 150;

/**
 * Events for one follower in the process that has appended them, so that it need not read them back. They are offered
 * once the journal has acknowledged them. Where the queue has a gap, the follower reads the journal.
 */
export class AppendedEvents {
  #events: StoredEvent[] = [];
  #size = 0;

  /** @param batch events that the journal has acknowledged, in their order. */
  offer(batch: readonly StoredEvent[]): void {
    const last = this.#events.at(-1);
    if (last !== undefined && batch[0]?.seq !== last.seq + 1) this.clear();
    for (const event of batch) {
      this.#events.push(event);
      this.#size += sizeOf(event);
    }
    if (this.#size > QUEUE_MAX) this.clear();
  }

  clear(): void {
    this.#events = [];
    this.#size = 0;
  }

  /** Returns up to `limit` events from `fromSeq` on; null where the first of them is not in memory. */
  take(fromSeq: number, limit: number): readonly StoredEvent[] | null {
    const [first] = this.#events;
    if (first === undefined || first.seq > fromSeq) return null;
    const skipped = fromSeq - first.seq;
    const taken = this.#events.slice(skipped, skipped + limit);
    for (const event of this.#events.splice(0, skipped + limit)) this.#size -= sizeOf(event);
    return taken.length === 0 ? null : taken;
  }
}

function sizeOf({ publicText, privateText }: StoredEvent): number {
  return publicText.length + (privateText?.length ?? 0) + OTHER_CHARACTERS;
}
