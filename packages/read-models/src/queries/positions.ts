import type { PositionView } from '@paper/contracts';
import type { ReadDb } from '../database.ts';
import { MARKET_NAME, toMarketName } from './market-row.ts';

/** One item for each held side, by market, YES first. Its mark is its market's probability, NO 1 less that. */
export async function listPositions(db: ReadDb, accountId: string): Promise<readonly PositionView[]> {
  const rows = await db
    .selectFrom('positions')
    .innerJoin('markets', 'markets.id', 'positions.market_id')
    .selectAll('positions')
    .select(MARKET_NAME)
    .where('positions.account_id', '=', accountId)
    .orderBy('positions.market_id')
    .execute();
  return rows.flatMap((row) => {
    const both = {
      marketId: row.market_id,
      yesShares: row.yes_shares,
      noShares: row.no_shares,
      market: toMarketName(row),
    };
    const yes = { ...both, side: 'yes', shares: row.yes_shares, costUnits: row.yes_cost } as const;
    const no = { ...both, side: 'no', shares: row.no_shares, costUnits: row.no_cost } as const;
    return [yes, no].filter((side) => side.shares > 0);
  });
}
