import { pause } from '@paper/timing';
import { journalBackOff } from '../writer/append.ts';
import type { Appending } from '../writer/append.ts';
import { Fold, JournalUnreadable } from '../writer/fold.ts';
import { foldToEnd } from '../writer/load.ts';
import type { StartPoint } from '../writer/load.ts';
import type { FoldedState } from '../writer/fold.ts';

export const CANNOT_FOLLOW_JOURNAL = 'the journal cannot be followed; retrying';

export interface StandbyOptions extends Pick<Appending, 'clock' | 'journal' | 'observer'> {
  readonly loadFrom: StartPoint;
  /** Called with the sequence that the fold has reached: at the end of the journal, and after each later page. */
  readonly onProgress: (seq: number) => void;
}

/**
 * Folds the journal as it grows, so that the next leader has almost nothing left to read, and retries while the journal
 * cannot be reached. Resolves when the signal aborts, with the state between two decisions or null.
 * @throws JournalUnreadable: this process must not take over.
 */
export async function standBy(options: StandbyOptions, signal: AbortSignal): Promise<FoldedState | null> {
  const { journal, clock, observer, onProgress, loadFrom } = options;
  let fold: Fold | null = null;
  const backOff = journalBackOff();
  // Once some events of a decision are read, the others are always read too.
  const isFollowing = (): boolean => !signal.aborted || fold?.whole === false;
  while (isFollowing()) {
    try {
      fold ??= new Fold(await loadFrom());
      await foldToEnd(journal, fold);
      onProgress(fold.folded.head.seq);
      // A server that has just started may show the rest of a decision only after some time.
      if (signal.aborted && !fold.whole) {
        await pause(journalBackOff().ms, { clock });
        continue;
      }
      for await (const page of journal.follow(fold.folded.head.seq + 1, { signal })) {
        fold.add(page);
        onProgress(fold.folded.head.seq);
        backOff.reset();
      }
    } catch (error) {
      if (error instanceof JournalUnreadable) throw error;
      const pauseMs = backOff.next();
      observer.noted(CANNOT_FOLLOW_JOURNAL, { error: String(error), failures: backOff.failures });
      await pause(pauseMs, { clock });
    }
  }
  return fold?.folded ?? null;
}
