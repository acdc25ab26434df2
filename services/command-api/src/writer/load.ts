import { createState } from '@paper/exchange';
import { EMPTY_HEAD, type Journal } from '@paper/journal';
import { pauseAfter, type Appending } from './append.ts';
import { Fold } from './fold.ts';
import type { Memory } from './memory.ts';

const PAGE = 5_000;

const nothingLoaded = (): Memory => ({ head: EMPTY_HEAD, state: createState() });

/**
 * Folds the journal to its end, from where `from` stands (its state is changed in place).
 *
 * @throws JournalUnreadable, and whatever a read throws: then nothing may be decided.
 */
export async function loadToEnd(journal: Journal, from: Memory): Promise<Memory> {
  const fold = new Fold(from);
  await foldToEnd(journal, fold);
  return fold.memory;
}

/** Adds all that the journal has by now. While one page is folded, the next is on its way. */
export async function foldToEnd(journal: Journal, fold: Fold): Promise<void> {
  let next = journal.read(fold.memory.head.seq + 1, PAGE);
  for (;;) {
    const page = await next;
    if (page.length === PAGE) {
      next = journal.read(fold.memory.head.seq + PAGE + 1, PAGE);
      // Its failure is met when it is awaited.
      next.catch(() => undefined);
    }
    fold.add(page);
    if (page.length < PAGE) return;
  }
}

/**
 * What a fold of the journal begins from: nothing, or a memory of an earlier place in it. Each call gives another one,
 * for the fold changes it in place. Rejects where the journal could not be read.
 */
export type Beginning = () => Promise<Memory>;

export const fromNothing: Beginning = () => Promise.resolve(nothingLoaded());

/** The alarm of each try that failed. */
export const CANNOT_READ_JOURNAL = 'the journal cannot be read';

/** Folds the journal to its end, as often as it takes to get it; null when the writer ended before. */
export async function loadForEver(
  { journal, clock, observer, ended }: Appending,
  begin: Beginning,
): Promise<Memory | null> {
  for (let attempt = 1; !ended(); attempt += 1) {
    try {
      return await loadToEnd(journal, await begin());
    } catch (error) {
      observer.alarm(CANNOT_READ_JOURNAL, error);
      await pauseAfter(attempt, clock);
    }
  }
  return null;
}
