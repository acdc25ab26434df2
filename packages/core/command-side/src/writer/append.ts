import { AppendRefused, AppendUnknown, WrongExpectedHead } from '@paper/journal';
import type { Head, Journal, StoredEvent } from '@paper/journal';
import { BackOff, retry } from '@paper/timing';
import type { Clock } from '@paper/timing';
import type { WriterObserver } from './observer.ts';
import type { PendingCommand } from './pending-command.ts';

/** EventStoreDB refuses an append over 1 MiB; half of that leaves room for the client library's overhead. */
export const BATCH_CAP_BYTES = 512 * 1024;

/** An answer that is sent once the batch is durable. */
export interface HeldAnswer {
  readonly pending: PendingCommand;
  readonly settle: () => void;
}

/** The content of one append: whole decisions in order. Once sent it never changes, so that it can be sent again. */
export interface Batch {
  readonly expected: Head;
  /** The only command of this batch, when it is retried alone because its previous batch was refused. */
  readonly alone: PendingCommand | null;
  readonly events: StoredEvent[];
  readonly answers: HeldAnswer[];
  bytes: number;
  /** True once the batch was sent: no event may be added to it. */
  sealed: boolean;
}

/** The batches not yet durable, oldest first. The first may be in flight; new decisions go into the last. */
export class Batches {
  #queue: Batch[] = [];

  /** `answersMax`: the most answers that may wait. Answers that timed out count too, since they are still in memory. */
  constructor(private readonly answersMax: number) {}

  get first(): Batch | undefined {
    return this.#queue[0];
  }

  get empty(): boolean {
    return this.#queue.length === 0;
  }

  /** Whether another decision may be staged: the bytes behind the append in flight and the answers are few enough. */
  get hasRoom(): boolean {
    let [bytes, answers] = [0, 0];
    for (const batch of this.#queue) {
      if (!batch.sealed) bytes += batch.bytes;
      answers += batch.answers.length;
    }
    return bytes < BATCH_CAP_BYTES && answers < this.answersMax;
  }

  add(expected: Head, events: readonly StoredEvent[], bytes: number, alone: PendingCommand | null): void {
    let batch = this.#queue.at(-1);
    if (batch === undefined || batch.sealed || alone !== null || batch.bytes + bytes > BATCH_CAP_BYTES) {
      batch = { alone, answers: [], bytes: 0, events: [], expected, sealed: false };
      this.#queue.push(batch);
    }
    for (const event of events) batch.events.push(event);
    batch.bytes += bytes;
  }

  /** Settles the answer with the newest batch, on which it rests; at once when everything is durable. */
  settle(pending: PendingCommand, settle: () => void): void {
    const batch = this.#queue.at(-1);
    if (batch === undefined) settle();
    else batch.answers.push({ pending, settle });
  }

  removeFirst(): void {
    this.#queue.shift();
  }

  /** Drops all batches, because the state that they were decided on is dropped. Returns their commands, in order. */
  clear(): readonly PendingCommand[] {
    const commands = this.#queue.flatMap(({ answers }) => answers.map(({ pending }) => pending));
    this.#queue = [];
    return commands;
  }
}

export type Appended =
  | { readonly kind: 'stored' }
  | { readonly kind: 'fenced'; readonly error: WrongExpectedHead }
  | { readonly kind: 'refused'; readonly error: AppendRefused }
  /** The outcome was still unknown when the writer ended. */
  | { readonly kind: 'given_up' };

/** The pauses after a failed read or append of the journal. */
export const journalBackOff = (): BackOff => new BackOff({ firstMs: 50, longestMs: 2_000 });

export interface Appending {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly observer: WriterObserver;
  /** True once the writer has ended: no request is left to answer. */
  readonly ended: () => boolean;
}

/** The alarm for an append error that is not one of the journal port's errors. */
export const APPEND_FAILED = 'the journal failed in a way that its port does not name';

/**
 * Sends the batch until its outcome is known: the identical batch at the same expected head, without end and with
 * growing pauses, since nothing else is safe. After an error that is not one of the port's the outcome is as unknown,
 * so it is handled alike, with an alarm. A refusal does not rule out that an earlier attempt was stored, so the journal
 * is read.
 */
export async function appendWithRetries(
  { journal, clock, observer, ended }: Appending,
  expected: Head,
  batch: readonly StoredEvent[],
): Promise<Appended> {
  const backOff = journalBackOff();
  const send = async (): Promise<Appended> => {
    const isFirst = backOff.failures === 0;
    if (!isFirst && ended()) return { kind: 'given_up' };
    try {
      await journal.append(expected, batch);
      return { kind: 'stored' };
    } catch (error) {
      if (error instanceof WrongExpectedHead) return { error, kind: 'fenced' };
      if (!(error instanceof AppendRefused)) throw error;
      if (isFirst || !(await isStored(journal, batch))) return { error, kind: 'refused' };
      return { kind: 'stored' };
    }
  };
  return retry(send, {
    backOff,
    clock,
    onFailure(error) {
      if (!(error instanceof AppendUnknown)) observer.alarm(APPEND_FAILED, error);
      observer.resent(backOff.failures + 1, error);
    },
  });
}

/** Whether the batch is in the journal. An append is atomic, so finding its first event is enough. */
async function isStored(journal: Journal, batch: readonly StoredEvent[]): Promise<boolean> {
  const [sent] = batch;
  if (sent === undefined) return false;
  const [found] = await journal.read(sent.seq, 1);
  return found?.hash === sent.hash;
}
