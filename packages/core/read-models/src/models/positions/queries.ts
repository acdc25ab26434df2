import type { PositionView } from '@paper/contracts/portfolio';
import type { InferResult } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { ReadDb } from '../tables.ts';
import type { JsonQuery } from '../json-query.ts';
import { MARKET_MARK } from '../markets/market-view.ts';

type PositionRow = InferResult<ReturnType<typeof heldPositions>>[number];

/** The fields of a market that a list's item shows, and the figures that value a position in it. */
export type MarketMark = Pick<
  PositionView,
  'title' | 'ticker' | 'companySlug' | 'resolvedOutcome' | 'phase' | 'probabilityHalfUnits'
>;

/** An account's positions: one item for each held outcome, by market, YES first. */
export const positionsOf: JsonQuery<readonly (PositionRow & MarketMark)[], readonly PositionView[]> = {
  build: (db, accountId) =>
    jsonArrayFrom(
      heldPositions(db, accountId).innerJoin('markets', 'markets.id', 'positions.market_id').select(MARKET_MARK),
    ),
  answer: (rows) => rows.flatMap((row) => toPositionViews(row, row)),
};

/** An account's positions, by market. */
export function heldPositions(db: ReadDb, accountId: string) {
  return db
    .selectFrom('positions')
    .select(['market_id as marketId', 'yes_shares as yesShares', 'no_shares as noShares'])
    .select(['yes_cost_units as yesCostUnits', 'no_cost_units as noCostUnits'])
    .where('account_id', '=', accountId)
    .orderBy('market_id');
}

/** Makes a view for each held outcome, YES first. YES is marked at the market's probability p, NO at 1 − p. */
export function toPositionViews(held: PositionRow, market: MarketMark): PositionView[] {
  const { marketId, yesShares, noShares } = held;
  const both = { ...market, marketId, yesShares, noShares };
  const yes = { ...both, side: 'yes', shares: yesShares, costUnits: held.yesCostUnits } as const;
  const no = { ...both, side: 'no', shares: noShares, costUnits: held.noCostUnits } as const;
  return [yes, no].filter((side) => side.shares > 0);
}
