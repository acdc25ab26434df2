import type { ReadDb } from '../../models/tables.ts';
import type { MarketNameRow } from '../../models/markets/market-view.ts';

/** The markets' figures just after an event; each must have been listed by then. */
export function marketNamesAsOf(
  db: ReadDb,
  marketIds: readonly string[],
  seq: number,
): Promise<(MarketNameRow & { readonly id: string })[]> {
  return db
    .selectFrom('markets')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('market_history')
          .select(['phase', 'probability_half_units'])
          .whereRef('market_id', '=', 'markets.id')
          .where('seq', '<=', seq)
          .orderBy('seq', 'desc')
          .limit(1)
          .as('then'),
      (join) => join.onTrue(),
    )
    .innerJoinLateral(
      (eb) =>
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
      (join) => join.onTrue(),
    )
    .leftJoin('resolutions', (join) =>
      join.onRef('resolutions.market_id', '=', 'markets.id').on('resolutions.seq', '<=', seq),
    )
    .select(['markets.id', 'titled.title', 'markets.ticker', 'markets.company_slug'])
    .select(['then.phase', 'then.probability_half_units', 'resolutions.outcome as resolved_outcome'])
    .where((eb) => eb('markets.id', '=', eb.fn.any(eb.val(marketIds))))
    .execute();
}
