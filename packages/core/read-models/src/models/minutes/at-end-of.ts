import { sql } from 'kysely';
import type { Expression, ExpressionBuilder } from 'kysely';
import { onTrue } from '../on-true.ts';
import type { ReadDb, ReadTables } from '../tables.ts';

/** The market's row at the end of a minute, for a join on markets; no row before its listing. */
export function rowAtMinuteEnd(eb: ExpressionBuilder<ReadTables, 'markets'>, minuteMs: number | Expression<number>) {
  return eb
    .selectFrom('market_minutes')
    .select(['market_minutes.volume_shares', 'market_minutes.probability_half_units'])
    .whereRef('market_minutes.market_id', '=', 'markets.id')
    .where('market_minutes.minute_ms', '<=', minuteMs)
    .orderBy('market_minutes.minute_ms', 'desc')
    .limit(1);
}

/** The probability of each market at the end of each minute; null before its listing. One index step for each. */
export function probabilitiesAt(db: ReadDb, marketIds: readonly string[], minutesMs: readonly number[]) {
  return db
    .selectFrom('markets')
    .crossJoin(sql<{ minute_ms: number }>`unnest(${minutesMs}::int8[])`.as<'ends'>(sql`ends(minute_ms)`))
    .leftJoinLateral((eb) => rowAtMinuteEnd(eb, eb.ref('ends.minute_ms')).as('past'), onTrue)
    .select(['markets.id as marketId', 'ends.minute_ms as minuteMs', 'past.probability_half_units as halfUnits'])
    .where((eb) => eb('markets.id', '=', eb.fn.any(eb.val(marketIds))))
    .execute();
}
