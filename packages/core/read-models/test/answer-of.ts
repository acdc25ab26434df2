import { sql } from 'kysely';
import type { ReadDb } from '../src/models/tables.ts';
import type { JsonQuery } from '../src/models/json-query.ts';

/** Runs a query in a schema that need not be the active one. */
export async function answerOf<Found, Answer>(
  db: ReadDb,
  question: JsonQuery<Found, Answer>,
  about: string,
): Promise<Answer> {
  const asked = sql<Found>`(${question.build(db, about)})`.as('value');
  const { value } = await db.selectNoFrom([asked]).executeTakeFirstOrThrow();
  // Kysely does not follow the name of a column of a type that is not known yet.
  return question.answer(value as Found);
}
