import { pauseAfter, type Appending } from '../writer/append.ts';
import { Fold, JournalUnreadable } from '../writer/fold.ts';
import { foldToEnd, type Beginning } from '../writer/load.ts';
import type { Memory } from '../writer/memory.ts';

/** The note of each try that failed. */
export const CANNOT_FOLLOW_JOURNAL = 'the journal cannot be followed; it is tried again';

export interface StandbyOptions extends Pick<Appending, 'clock' | 'journal' | 'observer'> {
  /** Where the fold begins. */
  readonly begin: Beginning;
  /** Told how far the memory is: when it has come to the end of the journal, and after each page from there on. */
  readonly onProgress: (seq: number) => void;
}

/**
 * Folds the journal as it grows, so that whoever takes over has next to nothing left to read. When the signal aborts it
 * gives its memory, between two decisions; null where it had none yet. A journal that cannot be reached is tried for
 * ever.
 *
 * @throws JournalUnreadable: this process must not take over.
 */
export async function standBy(options: StandbyOptions, signal: AbortSignal): Promise<Memory | null> {
  const { journal, clock, observer, onProgress, begin } = options;
  let fold: Fold | null = null;
  let failures = 0;
  // A decision that was read in part is read to its end.
  const goesOn = (): boolean => !signal.aborted || fold?.whole === false;
  while (goesOn()) {
    try {
      fold ??= new Fold(await begin());
      await foldToEnd(journal, fold);
      onProgress(fold.memory.head.seq);
      // A server that has just started may show the rest of a decision only after a while.
      if (signal.aborted && !fold.whole) {
        await pauseAfter(1, clock);
        continue;
      }
      for await (const page of journal.follow(fold.memory.head.seq + 1, { signal })) {
        fold.add(page);
        onProgress(fold.memory.head.seq);
        failures = 0;
      }
    } catch (error) {
      if (error instanceof JournalUnreadable) throw error;
      failures += 1;
      observer.noted(CANNOT_FOLLOW_JOURNAL, { error: String(error), failures });
      await pauseAfter(failures, clock);
    }
  }
  return fold?.memory ?? null;
}
