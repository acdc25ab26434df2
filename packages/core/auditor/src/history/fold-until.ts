import type { Journal } from '@paper/journal';
import type { JudgedEvent } from '../events/judged-events.ts';
import { readEvent } from '../journal/audited-event.ts';
import { pagesOf } from '../journal/pages.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { Invariants } from '../rules/invariants.ts';

/** A point in the journal: after an event, or after the last event up to a time (ms since 1970 UTC). Null: the end. */
export type Point = { readonly seq: number } | { readonly time: number } | null;

/** The journal does not reach the requested point. */
export class NoSuchPoint extends Error {
  override readonly name = 'NoSuchPoint';
}

/**
 * Folds a journal from its first event up to a point, and calls `onEvent` with each event and the ledger after it.
 * @throws NoSuchPoint for a sequence beyond the end; Fault or Violation when the journal breaks a rule before it.
 */
export async function foldUntil(
  journal: Pick<Journal, 'head' | 'read'>,
  point: Point,
  onEvent: (at: { readonly event: JudgedEvent; readonly id: string; readonly seq: number }, ledger: Ledger) => void,
) {
  const { seq: end } = await journal.head();
  if (point !== null && 'seq' in point && point.seq > end) {
    throw new NoSuchPoint(`The journal ends at sequence ${end}; there is no ${point.seq}.`);
  }
  const until = point !== null && 'seq' in point ? point.seq : end;
  const time = point !== null && 'time' in point ? point.time : Infinity;
  const invariants = new Invariants();
  const { ledger } = invariants;
  /** The last event that was folded; 0 and 0 in an empty journal. */
  const reached = () => ({ ledger, seq: ledger.seq, at: ledger.lastAt });
  for await (const page of pagesOf(journal, 1, until)) {
    for (const stored of page) {
      const { event, decisionEvents } = readEvent(stored);
      if (event.at > time) return reached();
      if (decisionEvents !== null) invariants.endOfDecision();
      invariants.apply(event, stored.seq);
      onEvent({ event, id: stored.id, seq: stored.seq }, ledger);
    }
  }
  return reached();
}
