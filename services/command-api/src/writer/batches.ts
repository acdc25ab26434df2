import type { Head, StoredEvent } from '@paper/journal';
import type { Ticket } from './ask.ts';

/** EventStoreDB refuses an append over 1 MiB; half of that leaves room for what a client library adds. */
export const BATCH_CAP_BYTES = 512 * 1024;

/** An answer that leaves once the batch is durable. */
export interface Settlement {
  readonly ticket: Ticket;
  readonly settle: () => void;
}

/** One append: decisions whole, one behind the other. Once sent it never changes, so that it can be sent again. */
export interface Batch {
  readonly expected: Head;
  /** The one command of a batch that is tried by itself, after the batch that it was in was refused. */
  readonly alone: Ticket | null;
  readonly events: StoredEvent[];
  readonly settlements: Settlement[];
  bytes: number;
  /** Sent at least once: no event may be added. */
  sealed: boolean;
}

/** What is decided and not yet durable, oldest first. The first one may be in flight; there is room in the last. */
export class Batches {
  private queue: Batch[] = [];

  /** `answers`: how many may wait for what is staged. Those that were given up count too, as they are still held. */
  constructor(private readonly answers: number) {}

  get first(): Batch | undefined {
    return this.queue[0];
  }

  get empty(): boolean {
    return this.queue.length === 0;
  }

  /**
   * Whether another decision may be taken: what waits behind the append in flight has not reached the cap, nor have the
   * answers, of which a refusal has one and no bytes.
   */
  get room(): boolean {
    let [bytes, answers] = [0, 0];
    for (const batch of this.queue) {
      if (!batch.sealed) bytes += batch.bytes;
      answers += batch.settlements.length;
    }
    return bytes < BATCH_CAP_BYTES && answers < this.answers;
  }

  /** Adds one decision whole: to the last batch while it fits, else to a new one. */
  add(expected: Head, events: readonly StoredEvent[], bytes: number, alone: Ticket | null): void {
    let batch = this.queue.at(-1);
    if (batch === undefined || batch.sealed || alone !== null || batch.bytes + bytes > BATCH_CAP_BYTES) {
      batch = { alone, bytes: 0, events: [], expected, sealed: false, settlements: [] };
      this.queue.push(batch);
    }
    for (const event of events) batch.events.push(event);
    batch.bytes += bytes;
  }

  /** Settles with the newest batch, since the answer rests on it; at once where everything is durable. */
  settle(ticket: Ticket, settle: () => void): void {
    const batch = this.queue.at(-1);
    if (batch === undefined) settle();
    else batch.settlements.push({ settle, ticket });
  }

  /** The first batch is durable, or refused. */
  removeFirst(): void {
    this.queue.shift();
  }

  /** Forgets all: the memory that they were decided in is dropped. Gives whom they would have answered, in order. */
  clear(): readonly Ticket[] {
    const tickets = this.queue.flatMap((batch) => batch.settlements.map((settlement) => settlement.ticket));
    this.queue = [];
    return tickets;
  }
}
