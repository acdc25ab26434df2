import type { JoinBuilder } from 'kysely';

/** The condition of a left lateral join, whose rows are chosen in the joined query. */
export function onTrue<DB, TB extends keyof DB>(join: JoinBuilder<DB, TB>) {
  return join.onTrue();
}
