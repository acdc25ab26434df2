import type { Head, StoredEvent } from '@paper/journal';
import type { PendingCommand } from './command-request.ts';

/** EventStoreDB refuses an append over 1 MiB; half of that leaves room for the client library's overhead. */
export const BATCH_CAP_BYTES = 512 * 1024;

/** An answer that is sent once the batch is durable. */
export interface Settlement {
  readonly pending: PendingCommand;
  readonly settle: () => void;
}

/** The content of one append: whole decisions in order. Once sent it never changes, so that it can be sent again. */
export interface Batch {
  readonly expected: Head;
  /** The only command of this batch, where it is retried alone because its former batch was refused. */
  readonly alone: PendingCommand | null;
  readonly events: StoredEvent[];
  readonly settlements: Settlement[];
  bytes: number;
  /** Sent at least once: no event may be added. */
  sealed: boolean;
}

/** The batches that are decided and not yet durable, oldest first. The first may be in flight; the last takes decisions. */
export class Batches {
  #queue: Batch[] = [];

  /** `answers`: how many may wait for staged batches. Answers that timed out count too, since they are still held. */
  constructor(private readonly answers: number) {}

  get first(): Batch | undefined {
    return this.#queue[0];
  }

  get empty(): boolean {
    return this.#queue.length === 0;
  }

  /**
   * Whether another decision may be staged: neither the bytes behind the append in flight nor the waiting answers have
   * reached their limit. A refusal counts as an answer without bytes.
   */
  get hasRoom(): boolean {
    let [bytes, answers] = [0, 0];
    for (const batch of this.#queue) {
      if (!batch.sealed) bytes += batch.bytes;
      answers += batch.settlements.length;
    }
    return bytes < BATCH_CAP_BYTES && answers < this.answers;
  }

  /** Adds one decision whole: to the last batch while it fits, else to a new one. */
  add(expected: Head, events: readonly StoredEvent[], bytes: number, alone: PendingCommand | null): void {
    let batch = this.#queue.at(-1);
    if (batch === undefined || batch.sealed || alone !== null || batch.bytes + bytes > BATCH_CAP_BYTES) {
      batch = { alone, bytes: 0, events: [], expected, sealed: false, settlements: [] };
      this.#queue.push(batch);
    }
    for (const event of events) batch.events.push(event);
    batch.bytes += bytes;
  }

  /** Settles together with the newest batch, since the answer rests on it; at once where everything is durable. */
  settle(pending: PendingCommand, settle: () => void): void {
    const batch = this.#queue.at(-1);
    if (batch === undefined) settle();
    else batch.settlements.push({ settle, pending });
  }

  /** The first batch is durable, or refused. */
  removeFirst(): void {
    this.#queue.shift();
  }

  /** Drops all batches, because the state they were decided in is dropped. Returns the commands they held, in order. */
  clear(): readonly PendingCommand[] {
    const tickets = this.#queue.flatMap((batch) => batch.settlements.map((settlement) => settlement.pending));
    this.#queue = [];
    return tickets;
  }
}
