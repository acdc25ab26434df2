import {
  AppendRefused,
  AppendUnknown,
  WrongExpectedHead,
  type Head,
  type Journal,
  type StoredEvent,
} from '@paper/journal';
import type { Clock } from './clock.ts';
import type { WriterObserver } from './observer.ts';

export type Appended =
  | { readonly kind: 'stored' }
  | { readonly kind: 'fenced'; readonly error: WrongExpectedHead }
  | { readonly kind: 'refused'; readonly error: AppendRefused }
  /** Still unknown when the writer ended. */
  | { readonly kind: 'given_up' };

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;

/** Resolves after the pause that follows the given attempt (from 1): 50 ms, doubled each time, 2 s at most. */
export function pauseAfter(attempt: number, clock: Clock): Promise<void> {
  const delayMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(attempt - 1, 10));
  return new Promise((resume) => void clock.after(delayMs, resume));
}

/** How a batch gets into the journal. */
export interface Appending {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly observer: WriterObserver;
  /** True once nobody is left who could be answered. */
  readonly ended: () => boolean;
}

/** The alarm of each try that failed so. */
export const APPEND_FAILED = 'the journal failed in a way that its port does not name';

/**
 * Sends the batch until its outcome is known. While it is not known, the identical batch is sent again at its own
 * place, for ever, with growing pauses: nothing else is safe. An error that the port does not name tells as little
 * about the outcome as a lost connection does, so it is treated alike, with an alarm. Nor does a refusal tell that an
 * earlier sending did not arrive: the journal is asked.
 */
export async function appendForEver(
  { journal, clock, observer, ended }: Appending,
  expected: Head,
  batch: readonly StoredEvent[],
): Promise<Appended> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      try {
        await journal.append(expected, batch);
        return { kind: 'stored' };
      } catch (error) {
        if (!(error instanceof AppendRefused)) throw error;
        if (attempt === 1 || !(await stands(journal, batch))) return { error, kind: 'refused' };
        return { kind: 'stored' };
      }
    } catch (error) {
      if (error instanceof WrongExpectedHead) return { error, kind: 'fenced' };
      if (!(error instanceof AppendUnknown)) observer.alarm(APPEND_FAILED, error);
      observer.resent(attempt, error);
    }
    await pauseAfter(attempt, clock);
    if (ended()) return { kind: 'given_up' };
  }
}

/** Whether the batch is in the journal. All of it is or nothing, so its first event tells. */
async function stands(journal: Journal, batch: readonly StoredEvent[]): Promise<boolean> {
  const [sent] = batch;
  if (sent === undefined) return false;
  const [found] = await journal.read(sent.seq, 1);
  return found?.hash === sent.hash;
}
