import { createState, evolve } from '@paper/exchange';
import type { ExchangeEvent } from '@paper/exchange/events';
import { decode, EMPTY_HEAD } from '@paper/journal';
import type { Head, Journal } from '@paper/journal';
import { retry } from '@paper/timing';
import { FleetUsage } from '../usage/fleet-usage.ts';
import { journalBackOff } from './append.ts';
import type { Appending } from './append.ts';
import { Fold, unreadable } from './fold.ts';
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

/** Reads the events of the decision that begins at this sequence, and the sequence and hash of its last event. */
export async function readDecision(
  journal: Journal,
  seq: number,
): Promise<{ readonly events: readonly ExchangeEvent[]; readonly head: Head }> {
  const [stored] = await journal.read(seq, 1);
  const first = stored === undefined ? undefined : decode(stored);
  if (first?.seq !== seq || first.decisionEvents === null) throw new Error(`no decision begins at sequence ${seq}`);
  const count = first.decisionEvents;
  const rest = count > 1 ? await journal.read(seq + 1, count - 1) : [];
  if (rest.length !== count - 1) throw new Error(`the decision at sequence ${seq} is cut short`);
  const { hash } = rest.at(-1) ?? first;
  return { events: [first.event, ...rest.map((event) => decode(event).event)], head: { hash, seq: seq + count - 1 } };
}

/** The newest events that are checked: a newer build has most likely appended events of its own versions to them. */
const NEWEST = 1_000;

/** Checks that this build can read the journal's newest events. @throws JournalUnreadable when it is older. */
export async function assertReadsNewest(journal: Pick<Journal, 'head' | 'read'>): Promise<void> {
  const { seq } = await journal.head();
  for (const stored of await journal.read(Math.max(1, seq - NEWEST + 1), NEWEST)) {
    try {
      const { command, event } = decode(stored);
      // An epoch's rules may be newer than those of this build.
      if (event.type === 'WriterEpochStarted') evolve(createState(), event, command);
    } catch (error) {
      throw unreadable(stored.seq, error);
    }
  }
}
