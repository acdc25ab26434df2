import type { Expression } from 'kysely';
import type { ReadDb } from './tables.ts';

/** The items of the subject's append-only lists that the caller already has; a query finds only later items. */
export interface HeldItems {
  /** The sequence up to which the items are there; 0: none are. */
  readonly seq: number;
  /** The markets of the items, which are found again, since markets change. */
  readonly marketIds: readonly string[];
}

export const NOTHING_HELD: HeldItems = { seq: 0, marketIds: [] };

/**
 * A query about one subject (such as a market) in one statement, compiled once: one round trip shows one sequence
 * without a transaction.
 */
export interface JsonQuery<Found, Answer = Found> {
  /** `subjectId` and `held` may appear only as values. The expression must not name the checkpoint's columns. */
  build(db: ReadDb, subjectId: string, held: HeldItems): Expression<Found>;
  /** Makes the answer from the value that Postgres found, which may be null. */
  answer(found: Found): Answer;
}
