import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/** The time by the database's clock, which several portals share. */
export const NOW = sql<Date>`now()`;

/** The time this many ms from now, by the same clock. */
export const inMs = (ms: number): RawBuilder<Date> => sql<Date>`now() + make_interval(secs => ${ms / 1_000})`;
