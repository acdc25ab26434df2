import type { MarketMark } from '../../models/positions/queries.ts';
import type { ReadDb } from '../../models/tables.ts';

/** The markets' names and figures just after an event; each market must have been listed by then. */
export function marketNamesAsOf(
  db: ReadDb,
  marketIds: readonly string[],
  seq: number,
): Promise<(MarketMark & { readonly id: string })[]> {
  return db
    .selectFrom('markets')
    .crossJoinLateral((eb) =>
      eb
        .selectFrom('market_history')
        .select(['phase', 'probability_half_units'])
        .whereRef('market_id', '=', 'markets.id')
        .where('seq', '<=', seq)
        .orderBy('seq', 'desc')
        .limit(1)
        .as('then'),
    )
    .crossJoinLateral((eb) =>
      eb
        .selectFrom('market_history')
        .select('title')
        .whereRef('market_id', '=', 'markets.id')
        .where('seq', '<=', seq)
        .where('title', 'is not', null)
        .orderBy('seq', 'desc')
        .limit(1)
        .$narrowType<{ title: string }>()
        .as('titled'),
    )
    .leftJoin('resolutions', (join) =>
      join.onRef('resolutions.market_id', '=', 'markets.id').on('resolutions.seq', '<=', seq),
    )
    .select(['markets.id', 'titled.title', 'markets.ticker', 'markets.company_slug as companySlug'])
    .select(['then.phase', 'then.probability_half_units as probabilityHalfUnits'])
    .select('resolutions.outcome as resolvedOutcome')
    .where((eb) => eb('markets.id', '=', eb.fn.any(eb.val(marketIds))))
    .execute();
}
