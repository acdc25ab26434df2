import type { PositionView } from '@paper/contracts';
import type { Selectable } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { ReadDb, ReadTables } from '../tables.ts';
import type { JsonQuery } from '../json-query.ts';
import { MARKET_NAME, toMarketName } from '../markets/market-view.ts';
import type { MarketNameRow } from '../markets/market-view.ts';

type PositionRow = Omit<Selectable<ReadTables['positions']>, 'account_id'>;

/** An account's positions: one item for each held outcome, by market, YES first. */
export const positionsOf: JsonQuery<readonly (PositionRow & MarketNameRow)[], readonly PositionView[]> = {
  build: (db, accountId) =>
    jsonArrayFrom(
      heldPositions(db, accountId).innerJoin('markets', 'markets.id', 'positions.market_id').select(MARKET_NAME),
    ),
  answer: (rows) => rows.flatMap((row) => toPositionViews(row, toMarketName(row))),
};

/** An account's positions, by market. */
export function heldPositions(db: ReadDb, accountId: string) {
  return db
    .selectFrom('positions')
    .select(['market_id', 'yes_shares', 'no_shares', 'yes_cost_units', 'no_cost_units'])
    .where('account_id', '=', accountId)
    .orderBy('market_id');
}

/** Makes a view for each held outcome, YES first. YES is marked at the market's probability p, NO at 1 − p. */
export function toPositionViews(row: PositionRow, market: PositionView['market']): PositionView[] {
  const both = { marketId: row.market_id, yesShares: row.yes_shares, noShares: row.no_shares, market };
  const yes = { ...both, side: 'yes', shares: row.yes_shares, costUnits: row.yes_cost_units } as const;
  const no = { ...both, side: 'no', shares: row.no_shares, costUnits: row.no_cost_units } as const;
  return [yes, no].filter((side) => side.shares > 0);
}
