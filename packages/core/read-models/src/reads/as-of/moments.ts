import { sql } from 'kysely';

/** A row for each of these sequences of the journal, to be joined with the state just after its event. */
export function moments(seqs: readonly number[]) {
  return sql<{ seq: number }>`unnest(${seqs}::int8[])`.as<'moment'>(sql`moment(seq)`);
}
