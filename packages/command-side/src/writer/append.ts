import {
  AppendRefused,
  AppendUnknown,
  WrongExpectedHead,
  type Head,
  type Journal,
  type StoredEvent,
} from '@paper/journal';
import { BackOff, retry, type Clock } from '@paper/timing';
import type { WriterObserver } from './observer.ts';

export type Appended =
  | { readonly kind: 'stored' }
  | { readonly kind: 'fenced'; readonly error: WrongExpectedHead }
  | { readonly kind: 'refused'; readonly error: AppendRefused }
  /** The outcome was still unknown when the writer ended. */
  | { readonly kind: 'given_up' };

/** The pauses after failed reads and appends of the journal. */
export const journalBackOff = (): BackOff => new BackOff({ firstMs: 50, longestMs: 2_000 });

/** The dependencies of an append. */
export interface Appending {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly observer: WriterObserver;
  /** True once the writer has ended: no request is left to answer. */
  readonly ended: () => boolean;
}

/** The alarm for an append error that the journal's port does not name. */
export const APPEND_FAILED = 'the journal failed in a way that its port does not name';

/**
 * Sends the batch until its outcome is known. While the outcome is unknown, the identical batch is sent again at the
 * same expected head, for ever, with growing pauses: nothing else is safe. An error that the port does not name says as
 * little about the outcome as a lost connection, so it is treated alike, with an alarm. A refusal does not rule out
 * that an earlier attempt was stored, so the journal is read.
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

/** Whether the batch is in the journal. An append is atomic, so its first event is enough. */
async function isStored(journal: Journal, batch: readonly StoredEvent[]): Promise<boolean> {
  const [sent] = batch;
  if (sent === undefined) return false;
  const [found] = await journal.read(sent.seq, 1);
  return found?.hash === sent.hash;
}
