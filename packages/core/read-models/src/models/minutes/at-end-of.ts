import type { ExpressionBuilder } from 'kysely';
import type { ReadTables } from '../tables.ts';

/** The market's row at the end of a minute, for a join on markets; no row where it was not listed yet. */
export function rowAtMinuteEnd(eb: ExpressionBuilder<ReadTables, 'markets'>, minuteMs: number) {
  return eb
    .selectFrom('market_minutes')
    .select(['market_minutes.volume_shares', 'market_minutes.probability_half_units'])
    .whereRef('market_minutes.market_id', '=', 'markets.id')
    .where('market_minutes.minute_ms', '<=', minuteMs)
    .orderBy('market_minutes.minute_ms', 'desc')
    .limit(1);
}
