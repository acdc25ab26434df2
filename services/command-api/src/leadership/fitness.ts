import { JOURNAL_SILENT, type JournalContact } from '@paper/journal';
import type { CheckedClock } from '../writer/checked-clock.ts';
import type { JournalClock } from './journal-clock.ts';

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

/** Which of the comparisons at the start are left out, since the operator knows the clock to be right. */
export type AcceptedClock = 'off' | 'journal' | 'on';

export function createFitness(
  clock: CheckedClock,
  contact: JournalContact,
  journalClock: JournalClock,
  accepted: AcceptedClock,
): Fitness {
  return {
    async check() {
      if (clock.doubted !== null) return clock.doubted;
      if (!(await contact.answers())) return JOURNAL_SILENT;
      if (accepted === 'on') return null;
      const against = accepted === 'off' ? await journalClock.disagreement() : null;
      return against ?? clock.disagreement();
    },
    look() {
      const silent = contact.look();
      return clock.doubted ?? silent;
    },
  };
}
