import { markHalfUnits } from '@paper/contracts/portfolio';
import type { Outcome } from '@paper/exchange/vocabulary';
import type { ReadDb } from '../../models/tables.ts';
import { accountsOf } from '../../models/accounts/rows-after.ts';
import { onTrue } from '../../models/on-true.ts';
import { moments } from './moments.ts';

/** An account's position in a market just after an event, and the market's probability then. */
export type PositionAsOf = Awaited<ReturnType<typeof lastMoved>>[number];

/** The positions of accounts just after each event, by market: a few index steps for each market ever traded. */
export async function positionsAsOf(
  db: ReadDb,
  accountIds: readonly string[],
  seqs: readonly number[],
): Promise<PositionAsOf[]> {
  const rows = await lastMoved(db, accountIds, seqs);
  const settling = rows.filter(({ phase }) => phase === 'settling').map(({ marketId }) => marketId);
  const settled = settling.length === 0 ? [] : await settledOf(db, accountIds, settling, Math.max(...seqs));
  const isSettled = ({ accountId, marketId, phase, seq }: PositionAsOf, outcome: Outcome): boolean =>
    phase === 'settling' &&
    settled.some(
      (one) => one.seq <= seq && one.account_id === accountId && one.market_id === marketId && one.outcome === outcome,
    );
  return rows
    .map((row) => ({
      ...row,
      ...(isSettled(row, 'yes') ? { yesShares: 0, yesCostUnits: 0 } : {}),
      ...(isSettled(row, 'no') ? { noShares: 0, noCostUnits: 0 } : {}),
    }))
    .filter(({ yesShares, noShares }) => yesShares > 0 || noShares > 0);
}

/** A position's worth at its market's probability at the event. */
export function worthHalfUnits({ yesShares, noShares, probabilityHalfUnits }: PositionAsOf): number {
  return yesShares * markHalfUnits('yes', probabilityHalfUnits) + noShares * markHalfUnits('no', probabilityHalfUnits);
}

/** The markets in which these accounts have traded, each found by an index step; each account's last row has none. */
export function tradedMarkets(db: ReadDb, accountIds: readonly string[]) {
  return db.withRecursive('traded(account_id, market_id)', (cte) =>
    cte
      .selectFrom('accounts')
      .select('accounts.id as account_id')
      .select((eb) =>
        eb
          .selectFrom('fills')
          .select('fills.market_id')
          .whereRef('fills.account_id', '=', 'accounts.id')
          .orderBy('fills.market_id')
          .limit(1)
          .as('market_id'),
      )
      .where((eb) => eb('accounts.id', '=', eb.fn.any(eb.val(accountIds))))
      .unionAll(
        cte
          .selectFrom('traded')
          .select('traded.account_id')
          .select((eb) =>
            eb
              .selectFrom('fills')
              .select('fills.market_id')
              .whereRef('fills.account_id', '=', 'traded.account_id')
              .whereRef('fills.market_id', '>', 'traded.market_id')
              .orderBy('fills.market_id')
              .limit(1)
              .as('market_id'),
          )
          .where('traded.market_id', 'is not', null),
      ),
  );
}

/** Positions as their last fill or merge up to the event left them, without those in settled markets. */
function lastMoved(db: ReadDb, accountIds: readonly string[], seqs: readonly number[]) {
  return (
    tradedMarkets(db, accountIds)
      .selectFrom('traded')
      .crossJoin(moments(seqs))
      .crossJoinLateral((eb) =>
        eb
          .selectFrom('fills')
          .select(['fills.seq', 'yes_shares_after', 'no_shares_after', 'yes_cost_after_units', 'no_cost_after_units'])
          .whereRef('fills.account_id', '=', 'traded.account_id')
          .whereRef('fills.market_id', '=', 'traded.market_id')
          .whereRef('fills.seq', '<=', 'moment.seq')
          .orderBy('fills.seq', 'desc')
          .limit(1)
          .as('filled'),
      )
      // An account with pairs to merge has had a fill before, so the left join starts at fills.
      .leftJoinLateral(
        (eb) =>
          eb
            .selectFrom('merges')
            .select(['yes_shares_after', 'no_shares_after', 'yes_cost_after_units', 'no_cost_after_units'])
            .whereRef('merges.account_id', '=', 'traded.account_id')
            .whereRef('merges.market_id', '=', 'traded.market_id')
            .whereRef('merges.seq', '>', 'filled.seq')
            .whereRef('merges.seq', '<=', 'moment.seq')
            .orderBy('merges.seq', 'desc')
            .limit(1)
            .as('merged'),
        onTrue,
      )
      .crossJoinLateral((eb) =>
        eb
          .selectFrom('market_history')
          .select(['phase', 'probability_half_units'])
          .whereRef('market_history.market_id', '=', 'traded.market_id')
          .whereRef('market_history.seq', '<=', 'moment.seq')
          .orderBy('market_history.seq', 'desc')
          .limit(1)
          .as('then'),
      )
      .select(['moment.seq', 'traded.account_id as accountId', 'traded.market_id as marketId'])
      .select(['then.phase', 'then.probability_half_units as probabilityHalfUnits'])
      .select((eb) => [
        eb.fn.coalesce('merged.yes_shares_after', 'filled.yes_shares_after').as('yesShares'),
        eb.fn.coalesce('merged.no_shares_after', 'filled.no_shares_after').as('noShares'),
        eb.fn.coalesce('merged.yes_cost_after_units', 'filled.yes_cost_after_units').as('yesCostUnits'),
        eb.fn.coalesce('merged.no_cost_after_units', 'filled.no_cost_after_units').as('noCostUnits'),
      ])
      // A settled market has settled all of its positions.
      .where('then.phase', 'not in', ['resolved', 'void'])
      .orderBy('traded.market_id')
      .$narrowType<{ marketId: string }>()
      .execute()
  );
}

/** The settlements of these accounts up to the event, in markets whose settlement was unfinished then. */
function settledOf(db: ReadDb, accountIds: readonly string[], marketIds: readonly string[], seq: number) {
  return accountsOf(db, accountIds)
    .crossJoinLateral((eb) =>
      eb
        .selectFrom('settlements')
        .select(['seq', 'account_id', 'market_id', 'outcome'])
        .whereRef('account_id', '=', 'accounts.id')
        .where('seq', '>', (begun) =>
          begun
            .selectFrom('resolutions')
            .select(({ fn }) => fn.min<number>('resolutions.seq').as('first'))
            .where((row) => row('resolutions.market_id', '=', row.fn.any(row.val(marketIds)))),
        )
        .where('seq', '<=', seq)
        .as('settled'),
    )
    .selectAll('settled')
    .execute();
}
