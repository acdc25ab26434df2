import { AppendRefused, AppendUnknown, WrongExpectedHead } from '@paper/journal';
import type { Head, Journal, StoredEvent } from '@paper/journal';

/**
 * The fault of one append:
 * - lost: the outcome is unknown, and nothing was stored;
 * - unanswered: the outcome is unknown, and all of it was stored;
 * - refused: the journal cannot store it;
 * - fenced: another writer's event is at its position.
 */
export type Fault = 'lost' | 'unanswered' | 'refused' | 'fenced';

/** Decides about an append (the first is attempt 1). Null lets it pass; a promise delays it until it settles. */
export type FaultPlan = (
  attempt: number,
  batch: readonly StoredEvent[],
  expected: Head,
) => Fault | null | Promise<Fault | null>;

/** A journal for tests whose appends fail as planned. All other calls go to the inner journal. */
export function createFaultyJournal(inner: Journal, plan: FaultPlan): Journal {
  let attempts = 0;
  return {
    append: async (expected, batch) => {
      attempts += 1;
      switch (await plan(attempts, batch, expected)) {
        case null:
          return inner.append(expected, batch);
        case 'lost':
          throw new AppendUnknown('planned: lost before it was stored');
        case 'unanswered':
          await inner.append(expected, batch);
          throw new AppendUnknown('planned: stored, and the answer lost');
        case 'refused':
          throw new AppendRefused('planned: refused');
        case 'fenced':
          throw new WrongExpectedHead(expected, { hash: 'f'.repeat(64), seq: expected.seq + 1 });
      }
    },
    close: () => inner.close(),
    follow: (fromSeq, options) => inner.follow(fromSeq, options),
    head: () => inner.head(),
    read: (fromSeq, limit) => inner.read(fromSeq, limit),
  };
}
