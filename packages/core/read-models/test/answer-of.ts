import type { PortfolioView } from '@paper/contracts/portfolio';
import { sql } from 'kysely';
import type { ReadDb } from '../src/models/tables.ts';
import { NOTHING_HELD } from '../src/models/json-query.ts';
import type { JsonQuery } from '../src/models/json-query.ts';
import { portfolioOf, toPortfolioView } from '../src/reads/portfolio.ts';

/** Runs a query in a schema that need not be the active one. */
export async function answerOf<Found, Answer>(
  db: ReadDb,
  question: JsonQuery<Found, Answer>,
  about: string,
  held = NOTHING_HELD,
): Promise<Answer> {
  const asked = sql<Found>`(${question.build(db, about, held)})`.as('value');
  const { value } = await db.selectNoFrom([asked]).executeTakeFirstOrThrow();
  // Kysely does not follow the name of a column of a type that is not known yet.
  return question.answer(value as Found);
}

/** The whole portfolio of an account; null if there is no such account. */
export async function portfolioIn(db: ReadDb, accountId: string): Promise<PortfolioView | null> {
  const found = await answerOf(db, portfolioOf, accountId);
  if (found === null) return null;
  const { ended, live, ...rest } = found;
  return toPortfolioView({ ...rest, openOrders: live.length, orders: [...live, ...ended] });
}
