import type { Expression } from 'kysely';
import type { ReadDb } from './tables.ts';

/**
 * A query in one statement about one subject, such as an account or the number of a list's rows. Its result is one
 * value, or JSON. One statement is one round trip, sees one sequence without a transaction, and is compiled once.
 */
export interface JsonQuery<Found, Answer> {
  /** `subjectId` may appear only as a value. The expression must not name the checkpoint's columns. */
  build(db: ReadDb, subjectId: string): Expression<Found>;
  /** Makes the answer from the value that Postgres found, which may be null. */
  answer(found: Found): Answer;
}
