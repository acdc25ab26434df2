import { createState } from '@paper/exchange';
import { EMPTY_HEAD } from '@paper/journal';
import type { Journal } from '@paper/journal';
import { retry } from '@paper/timing';
import { FleetUsage } from '../usage/fleet-usage.ts';
import { journalBackOff } from './append.ts';
import type { Appending } from './append.ts';
import { Fold } from './fold.ts';
import type { FoldedState } from './fold.ts';

/** The number of events that are read at once. Two pages are in memory, and a page is folded without a pause. */
const PAGE = 1_000;

const nothingFolded = (): FoldedState => ({ head: EMPTY_HEAD, state: createState(), usage: new FleetUsage() });

/** Receives the last folded sequence after each page. It may throw, which ends the fold. */
export type OnFolded = (seq: number) => void;

/** Folds the journal to its end, and changes the state of `from` in place. @throws JournalUnreadable */
export async function loadToEnd(journal: Journal, from: FoldedState, onFolded?: OnFolded): Promise<FoldedState> {
  const fold = new Fold(from);
  await foldToEnd(journal, fold, onFolded);
  return fold.folded;
}

/** Folds all events that the journal has so far. Reads the next page while one is folded. */
export async function foldToEnd(journal: Journal, fold: Fold, onFolded?: OnFolded): Promise<void> {
  let next = journal.read(fold.folded.head.seq + 1, PAGE);
  for (;;) {
    const page = await next;
    if (page.length === PAGE) {
      next = journal.read(fold.folded.head.seq + PAGE + 1, PAGE);
      // A failure is handled where the page is awaited.
      next.catch(() => undefined);
    }
    fold.add(page);
    onFolded?.(fold.folded.head.seq);
    if (page.length < PAGE) return;
  }
}

/** Makes a new state that a fold of the journal starts from and changes. Rejects when the journal cannot be read. */
export type StartPoint = () => Promise<FoldedState>;

export const fromFirstEvent: StartPoint = () => Promise.resolve(nothingFolded());

export const CANNOT_READ_JOURNAL = 'the journal cannot be read';

/** Folds the journal to its end, and retries; null when the writer ends. @throws the first error not temporary */
export async function loadWithRetries(
  { journal, clock, observer, ended }: Appending,
  loadFrom: StartPoint,
  isTemporary: (error: unknown) => boolean = () => true,
): Promise<FoldedState | null> {
  const load = async (): Promise<FoldedState | null> => (ended() ? null : loadToEnd(journal, await loadFrom()));
  return retry(load, {
    backOff: journalBackOff(),
    clock,
    isTemporary,
    onFailure: (error) => observer.alarm(CANNOT_READ_JOURNAL, error),
  });
}
