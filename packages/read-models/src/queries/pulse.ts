import type { PulseEntryView } from '@paper/contracts';
import type { ReadDb } from '../database.ts';

/**
 * The ids of the markets in which most shares were traded since then, most first; of those in which as many were, the
 * ones that take orders first, then the newest listing.
 */
export async function mostActiveMarkets(db: ReadDb, sinceMs: number, limit: number): Promise<string[]> {
  const rows = await db
    .with('traded', (cte) =>
      cte
        .selectFrom('fills')
        .select((eb) => ['market_id', eb.fn.sum<number>('quantity').as('shares')])
        .where('role', '=', 'taker')
        .where('at', '>=', sinceMs)
        .groupBy('market_id'),
    )
    .selectFrom('markets')
    .leftJoin('traded', 'traded.market_id', 'markets.id')
    .select('id')
    .orderBy((eb) => eb.fn.coalesce('traded.shares', eb.val(0)), 'desc')
    .orderBy((eb) => eb('status', '=', 'active'), 'desc')
    .orderBy('created_seq', 'desc')
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
