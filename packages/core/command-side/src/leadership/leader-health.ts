import type { JournalContact } from '@paper/journal';
import type { TrustedClock } from '../writer/trusted-clock.ts';
import type { JournalClock } from './journal-clock.ts';

/** Finds why this process could not decide commands if it led: a text for operators; null: it could. */
export interface LeaderHealth {
  /** Checks the journal and the clocks anew, for a process that is about to lead. */
  readonly check: () => Promise<string | null>;
  /** Returns the result of the last check and starts the next one, for the process that leads. */
  readonly unhealthyReason: () => string | null;
}

/** Checks of the clock that an operator leaves out: none (`off`), that against the journal (`journal`), all (`on`). */
export type AcceptedClock = 'off' | 'journal' | 'on';

export function createLeaderHealth(
  clock: TrustedClock,
  contact: JournalContact,
  journalClock: JournalClock,
  accepted: AcceptedClock,
): LeaderHealth {
  return {
    async check() {
      if (clock.distrustReason !== null) return clock.distrustReason;
      const problem = await contact.problem();
      if (problem !== null) return problem;
      if (accepted === 'on') return null;
      const against = accepted === 'off' ? await journalClock.disagreement() : null;
      return against ?? clock.disagreement();
    },
    unhealthyReason() {
      const silent = contact.unhealthyReason();
      return clock.distrustReason ?? silent;
    },
  };
}
