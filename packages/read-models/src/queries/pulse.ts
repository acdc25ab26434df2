import type { PulseEntryView } from '@paper/contracts';
import type { ReadDb } from '../database.ts';
import { wholeMinute } from '../minute.ts';

/**
 * The ids of the markets in which most shares were traded after the minute that `sinceMs` is in, most first; of those
 * in which as many were, the ones that take orders first, then the newest listing.
 */
export async function mostActiveMarkets(db: ReadDb, sinceMs: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('markets')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('market_minutes')
          .select('market_minutes.volume')
          .whereRef('market_minutes.market_id', '=', 'markets.id')
          .where('market_minutes.minute', '<=', wholeMinute(sinceMs))
          .orderBy('market_minutes.minute', 'desc')
          .limit(1)
          .as('then'),
      (join) => join.onTrue(),
    )
    .select('markets.id')
    .orderBy((eb) => eb('markets.volume', '-', eb.fn.coalesce('then.volume', eb.val(0))), 'desc')
    .orderBy((eb) => eb('markets.status', '=', 'active'), 'desc')
    .orderBy('markets.created_seq', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** These markets as a pulse shows them, in the order of their ids; one that does not exist is left out. */
export async function pulseEntries(db: ReadDb, marketIds: readonly string[]): Promise<PulseEntryView[]> {
  if (marketIds.length === 0) return [];
  const rows = await db
    .selectFrom('markets')
    .select([
      'id',
      'probability_half as probabilityHalfUnits',
      'best_bid as bestBidUnits',
      'best_ask as bestAskUnits',
      'last_trade as lastTradeUnits',
      'volume',
      'phase',
      'seq',
    ])
    .where('id', 'in', marketIds)
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return marketIds.flatMap((id) => byId.get(id) ?? []);
}
