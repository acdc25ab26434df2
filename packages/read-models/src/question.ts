import type { Expression } from 'kysely';
import type { ReadDb } from './database.ts';

/**
 * What one statement answers about one thing, say an account: a value, in JSON where it has parts. One statement is one
 * round trip, sees one sequence without a transaction, and is compiled once.
 */
export interface Question<Found, Answer> {
  /** Must ask the same for every `about`, which it takes as a value only. Must not name the checkpoint's columns. */
  select(db: ReadDb, about: string): Expression<Found>;
  /** From what Postgres found; null is null. */
  answer(found: Found): Answer;
}
