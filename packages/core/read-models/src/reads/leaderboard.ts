import { shownName } from '@paper/contracts';
import type { LeaderboardEntryView } from '@paper/contracts/accounts';
import { sql } from 'kysely';
import type { ExpressionBuilder } from 'kysely';
import type { ReadDb, ReadTables } from '../models/tables.ts';
import { WORTH_HALF_UNITS } from '../models/accounts/queries.ts';
import { displayNameOf } from '../models/accounts/display-name.ts';

/** The first accounts of a ranking, and the number of all ranked accounts. */
export interface Ranking {
  readonly entries: readonly LeaderboardEntryView[];
  readonly total: number;
}

interface RankRow {
  readonly id: string;
  readonly display_name: string | null;
  readonly cash_units: number;
  readonly positions_half_units: number;
  readonly starting_balance_units: number;
  readonly open_positions: number;
  readonly trades: number;
  readonly volume_units: number;
  readonly total: number;
}

/**
 * The sub-accounts of a primary that are ranked: those that were opened first. Fixed at their opening and never by value,
 * so that nothing shows which rows are of one fleet, and no fleet can fill the ranking.
 */
const RANKED_SUB_ACCOUNTS = 2;

/**
 * Ranked accounts, by their worth, then the older account. They are open, have traded, started with the usual balance, and
 * are primaries or one of the first sub-accounts of theirs. Every position is valued at the time of the query, so that a
 * trade that moves a mark changes no row of the holders.
 */
export async function rankAccounts(db: ReadDb, limit: number): Promise<Ranking> {
  // The setting holds for this transaction. With less memory the sums of 100,000 accounts would go through files.
  await sql`select set_config('work_mem', '64MB', true)`.execute(db);
  // Sums of whole numbers below 2^53 are exact as floats, and cost a third of what sums of int8 (as numeric) cost.
  const ranked = db
    .with('worth', (cte) =>
      cte
        .selectFrom('positions')
        .innerJoin('markets', 'markets.id', 'positions.market_id')
        .select([
          'positions.account_id',
          sql<number>`sum((${WORTH_HALF_UNITS})::float8)`.as('half_units'),
          sql<number>`sum((yes_shares > 0)::int4 + (no_shares > 0)::int4)`.as('sides'),
        ])
        .groupBy('positions.account_id'),
    )
    .selectFrom('accounts')
    .leftJoin('worth', 'worth.account_id', 'accounts.id')
    .select([
      'id',
      'cash_units',
      'starting_balance_units',
      'trades',
      'volume_units',
      displayNameOf().as('display_name'),
    ])
    .select([
      sql<number>`coalesce(worth.half_units, 0)::int8`.as('positions_half_units'),
      sql<number>`coalesce(worth.sides, 0)::int8`.as('open_positions'),
    ])
    .select((eb) =>
      eb
        .selectFrom('accounts')
        .where(isRanked)
        .select(eb.fn.countAll<number>().as('n'))
        .$asScalar()
        .$notNull()
        .as('total'),
    )
    .where(isRanked)
    .orderBy(sql`2 * cash_units + coalesce(worth.half_units, 0)`, 'desc')
    .orderBy('created_seq')
    .limit(limit);
  const rows: readonly RankRow[] = await ranked.execute();
  return { entries: withRanks(rows), total: rows[0]?.total ?? 0 };
}

/** Whether the account of a row is ranked. */
function isRanked(eb: ExpressionBuilder<ReadTables, 'accounts'>) {
  const subAccount = eb.ref('sub_account_number');
  return eb.and([
    eb('closed_seq', 'is', null),
    eb('trades', '>', 0),
    eb.or([eb(subAccount, 'is', null), eb(subAccount, '<=', RANKED_SUB_ACCOUNTS)]),
    eb('starting_balance_units', '=', eb.selectFrom('settings').select('settings.starting_balance_units')),
  ]);
}

/** The entries of the best accounts, best first. Accounts of one value have one rank. */
function withRanks(rows: readonly RankRow[]): readonly LeaderboardEntryView[] {
  let [rank, lastHalfUnits] = [0, NaN];
  return rows.map((row, index) => {
    const halfUnits = 2 * row.cash_units + row.positions_half_units;
    if (halfUnits !== lastHalfUnits) [rank, lastHalfUnits] = [index + 1, halfUnits];
    return {
      id: row.id,
      displayName: shownName(row.id, row.display_name),
      rank,
      cashUnits: row.cash_units,
      positionsHalfUnits: row.positions_half_units,
      startingBalanceUnits: row.starting_balance_units,
      openPositions: row.open_positions,
      trades: row.trades,
      volumeUnits: row.volume_units,
    };
  });
}
