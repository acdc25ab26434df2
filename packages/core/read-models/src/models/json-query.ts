import type { Expression } from 'kysely';
import type { ReadDb } from './tables.ts';

/**
 * A query about one subject (such as a market) in one statement, compiled once: one round trip shows one sequence
 * without a transaction.
 */
export interface JsonQuery<Found, Answer = Found> {
  /** `subjectId` may appear only as a value. The expression must not name the checkpoint's columns. */
  build(db: ReadDb, subjectId: string): Expression<Found>;
  /** Makes the answer from the value that Postgres found, which may be null. */
  answer(found: Found): Answer;
}
