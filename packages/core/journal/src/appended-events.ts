import { followPages } from './follow.ts';
import type { FollowSource } from './follow.ts';
import type { FollowOptions, StoredEvent } from './port.ts';

/** The most that a queue holds, in characters of its texts. A follower that is further behind reads the journal. */
const QUEUE_MAX = 8 * 1024 * 1024;

/** The characters that an event counts for in addition to its texts: hash, id, type. */
const OTHER_CHARACTERS = 150;

/**
 * Events for one follower, so that it need not read them from the journal: those that this process has appended, and
 * those that a server has pushed, once the journal has acknowledged them. The same event may come from both. If the
 * queue has a gap, the follower reads the journal.
 */
export class AppendedEvents {
  #events: StoredEvent[] = [];
  #size = 0;
  /** The follower has taken all events before this sequence from the queue, or reads them from the journal. */
  #nextSeq = 0;

  offer(batch: readonly StoredEvent[]): void {
    const last = this.#events.at(-1);
    const expected = last === undefined ? this.#nextSeq : last.seq + 1;
    const news = (batch[0]?.seq ?? expected) < expected ? batch.filter(({ seq }) => seq >= expected) : batch;
    if (last !== undefined && news.length > 0 && news[0]?.seq !== expected) this.clear();
    for (const event of news) {
      this.#events.push(event);
      this.#size += sizeOf(event);
    }
    if (this.#size > QUEUE_MAX) this.clear();
  }

  clear(): void {
    this.#events = [];
    this.#size = 0;
  }

  /** Returns up to `limit` events from `fromSeq` on; null if the first of them is not in memory. */
  take(fromSeq: number, limit: number): readonly StoredEvent[] | null {
    this.#nextSeq = fromSeq;
    const [first] = this.#events;
    if (first === undefined || first.seq > fromSeq) return null;
    const skipped = fromSeq - first.seq;
    const taken = this.#events.slice(skipped, skipped + limit);
    for (const event of this.#events.splice(0, skipped + limit)) this.#size -= sizeOf(event);
    this.#nextSeq += taken.length;
    return taken.length === 0 ? null : taken;
  }
}

/** The followers of one journal instance, each with its own queue. */
export class FollowerQueues {
  readonly #queues = new Set<AppendedEvents>();

  get isEmpty(): boolean {
    return this.#queues.size === 0;
  }

  offer(batch: readonly StoredEvent[]): void {
    for (const queue of this.#queues) queue.offer(batch);
  }

  /** Clears all queues, so that followers read the journal: it may not end where this instance expected. */
  clear(): void {
    for (const queue of this.#queues) queue.clear();
  }

  /** Implements Journal.follow with a queue. Events that are not in the queue are read from the journal. */
  async *follow(
    journal: FollowSource,
    fromSeq: number,
    options: FollowOptions,
  ): AsyncGenerator<readonly StoredEvent[], void> {
    const queue = new AppendedEvents();
    this.#queues.add(queue);
    const read = async (from: number, limit: number): Promise<readonly StoredEvent[]> =>
      queue.take(from, limit) ?? (await journal.read(from, limit));
    try {
      yield* followPages({ ...journal, read }, fromSeq, options);
    } finally {
      this.#queues.delete(queue);
    }
  }
}

function sizeOf({ publicText, privateText }: StoredEvent): number {
  return publicText.length + (privateText?.length ?? 0) + OTHER_CHARACTERS;
}
