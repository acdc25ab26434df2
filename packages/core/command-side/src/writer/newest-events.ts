import { createState, evolve } from '@paper/exchange';
import { decode } from '@paper/journal';
import type { Journal } from '@paper/journal';
import { unreadable } from './fold.ts';

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
