import type { Journal } from '@paper/journal';
import { every } from '@paper/timing';
import type { Clock } from '@paper/timing';
import type { WriterObserver } from '../writer/observer.ts';

export const JOURNAL_THREATENED = 'the journal can lose events; commands are refused until that is mended';

const CHECK_EVERY_MS = 1_000;

/** Reports when the journal becomes able to lose events, and when that is over. Returns a function that stops it. */
export function watchJournalThreat(
  journal: Pick<Journal, 'threat'>,
  clock: Pick<Clock, 'after' | 'monotonic'>,
  observer: Pick<WriterObserver, 'alarm' | 'noted'>,
): () => void {
  let reported: string | null = null;
  const check = (): void => {
    const threat = journal.threat?.() ?? null;
    if (threat === reported) return;
    if (threat !== null) observer.alarm(JOURNAL_THREATENED, new Error(threat));
    else observer.noted('the journal cannot lose events any more; commands are taken again', {});
    reported = threat;
  };
  return every(CHECK_EVERY_MS, check, clock);
}
