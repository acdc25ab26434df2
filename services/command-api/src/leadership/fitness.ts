import { JOURNAL_SILENT, type JournalContact } from '@paper/journal';
import type { CheckedClock } from '../writer/checked-clock.ts';

/**
 * Whether this process could decide if it led: its wall clock is believed, and it reaches the journal. What hinders it is
 * told in words, for operators; null where nothing does.
 */
export interface Fitness {
  /** Asks everybody who has to be asked: for one who is about to lead. */
  readonly check: () => Promise<string | null>;
  /** What is known, and asks for what will be known at the next look: for one who leads. */
  readonly look: () => string | null;
}

export function createFitness(clock: CheckedClock, contact: JournalContact): Fitness {
  return {
    check: async () => clock.doubted ?? ((await contact.answers()) ? await clock.disagreement() : JOURNAL_SILENT),
    look() {
      const silent = contact.look();
      return clock.doubted ?? silent;
    },
  };
}
