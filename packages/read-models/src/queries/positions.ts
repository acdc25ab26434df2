import type { Outcome } from '@paper/exchange';
import type { ReadDb } from '../database.ts';
import type { PositionView } from '../views.ts';
import { MARKET_REF, toMarketRef } from './market-row.ts';

/** What one pair of a YES and a NO share is worth, in half units. */
const PAIR_HALF_UNITS = 20_000;

/** One item for each held side, by market, YES first. A settled market's mark is what it pays. */
export async function listPositions(db: ReadDb, accountId: string): Promise<readonly PositionView[]> {
  const rows = await db
    .selectFrom('positions')
    .innerJoin('markets', 'markets.id', 'positions.market_id')
    .selectAll('positions')
    .select(MARKET_REF)
    .where('positions.account_id', '=', accountId)
    .orderBy('positions.market_id')
    .execute();
  return rows.flatMap((row) => {
    const side = (outcome: Outcome, shares: number, costUnits: number, markHalfUnits: number): PositionView[] =>
      shares === 0
        ? []
        : [
            {
              marketId: row.market_id,
              side: outcome,
              shares,
              costUnits,
              markHalfUnits,
              marketValueHalfUnits: shares * markHalfUnits,
              unrealizedPnlHalfUnits: shares * markHalfUnits - 2 * costUnits,
              yesShares: row.yes_shares,
              noShares: row.no_shares,
              market: toMarketRef(row),
            },
          ];
    return [
      ...side('yes', row.yes_shares, row.yes_cost, row.probability_half),
      ...side('no', row.no_shares, row.no_cost, PAIR_HALF_UNITS - row.probability_half),
    ];
  });
}
