import { shownName } from '@paper/contracts';
import type { ListedAccountView, MarketHoldersBody, OneSidedTransferView } from '@paper/contracts/operator';
import { sql } from 'kysely';
import type { ReadDb } from '../models/tables.ts';
import { displayNameOf } from '../models/accounts/display-name.ts';
import { readPage } from '../models/page.ts';
import type { Page, PageRequest } from '../models/page.ts';
import { TAKER } from '../models/fills/queries.ts';

/** Queries for operators. They scan whole tables or a range of trades, so they run as long reads. */

/** The holders of shares of a market, most shares first; null if there is no such market. */
export async function findHolders(db: ReadDb, marketId: string, limit: number): Promise<MarketHoldersBody | null> {
  const market = await db.selectFrom('markets').select('id').where('id', '=', marketId).executeTakeFirst();
  if (market === undefined) return null;
  const held = db
    .selectFrom('positions')
    .where('market_id', '=', marketId)
    .where(sql<boolean>`yes_shares + no_shares > 0`);
  const totals = await held
    .select((eb) => [
      eb.fn.countAll<number>().as('accounts'),
      sql<number>`coalesce(sum(yes_shares), 0)::int8`.as('yesShares'),
      sql<number>`coalesce(sum(no_shares), 0)::int8`.as('noShares'),
    ])
    .executeTakeFirstOrThrow();
  const rows = await held
    .innerJoin('accounts', 'accounts.id', 'positions.account_id')
    .select(['accounts.id as accountId', displayNameOf().as('displayName')])
    .select(['yes_shares as yesShares', 'no_shares as noShares'])
    .orderBy(sql`greatest(yes_shares, no_shares)`, 'desc')
    .orderBy('accounts.created_seq')
    .limit(limit)
    .execute();
  return {
    marketId,
    ...totals,
    holders: rows.map((row) => ({ ...row, displayName: shownName(row.accountId, row.displayName) })),
  };
}

/**
 * Primary accounts, newest first. `approved`: only accounts that may trade; false: only open accounts that may not
 * trade yet. If no approval is needed, all accounts count as approved.
 */
export async function listPrimaryAccounts(
  db: ReadDb,
  filter: PageRequest & { readonly approved?: boolean | undefined },
): Promise<Page<ListedAccountView>> {
  const approved = sql<boolean>`(accounts.approved or settings.compliance_mode <> 'kyc')`;
  let query = db
    .selectFrom('accounts')
    .crossJoin('settings')
    .select(['accounts.id', displayNameOf().as('displayName'), 'created_at_ms as createdAt', 'created_seq'])
    .select(['accounts.starting_balance_units as startingBalanceUnits', approved.as('approved')])
    .select(sql<boolean>`accounts.closed_seq is not null`.as('closed'))
    .where('primary_account_id', 'is', null)
    .orderBy('created_seq', 'desc');
  if (filter.approved !== undefined) query = query.where(approved, '=', filter.approved);
  if (filter.approved === false) query = query.where('accounts.closed_seq', 'is', null);
  if (filter.after !== undefined) query = query.where('created_seq', '<', filter.after);
  const page = await readPage(query, filter.limit, (row) => row.created_seq);
  return {
    items: page.items.map((row) => ({ ...row, displayName: shownName(row.id, row.displayName) })),
    next: page.next,
  };
}

export interface TransferFilter {
  /** Only trades from this time on, in ms. */
  readonly fromMs: number;
  /** Lists only pairs whose sum exceeds this, in half units. */
  readonly aboveHalfUnits: number;
  readonly limit: number;
}

/**
 * Pairs of accounts between which trades have moved money, largest amount first. A trade moves to the account that went
 * long of YES the present value of those shares minus their cost: their payout in a settled market, else the mark. (YES
 * and NO are worth $1 together, so the other account loses the same.)
 */
export async function listOneSidedTransfers(
  db: ReadDb,
  { aboveHalfUnits, fromMs, limit }: TransferFilter,
): Promise<readonly OneSidedTransferView[]> {
  const rows = await db
    .with('moved', (cte) => moved(cte, fromMs))
    .with('pairs', (cte) =>
      cte
        .selectFrom('moved')
        .select(['one', 'other', sql<number>`sum(gain)::int8`.as('gain'), sql<number>`sum(shares)::int8`.as('shares')])
        .select((eb) => [eb.fn.countAll<number>().as('trades'), eb.fn.max('at_ms').as('last_ms')])
        .groupBy(['one', 'other'])
        .having(sql<number>`abs(sum(gain))`, '>', aboveHalfUnits),
    )
    .selectFrom('pairs')
    .innerJoin('accounts as first', 'first.id', 'pairs.one')
    .innerJoin('accounts as second', 'second.id', 'pairs.other')
    .selectAll('pairs')
    .select([displayNameOf('first').as('one_name'), displayNameOf('second').as('other_name')])
    .orderBy(sql`abs(gain)`, 'desc')
    .orderBy('one')
    .orderBy('other')
    .limit(limit)
    .execute();
  return rows.map((row) => {
    const one = { accountId: row.one, displayName: shownName(row.one, row.one_name) };
    const other = { accountId: row.other, displayName: shownName(row.other, row.other_name) };
    return {
      from: row.gain > 0 ? other : one,
      to: row.gain > 0 ? one : other,
      amountHalfUnits: Math.abs(row.gain),
      trades: row.trades,
      shares: row.shares,
      lastTradeAt: row.last_ms,
    };
  });
}

/** The `gain` in half units that each trade has moved to `one`, the account with the smaller id, from `other`. */
function moved(db: Pick<ReadDb, 'selectFrom'>, fromMs: number) {
  const worth = sql`coalesce(2 * markets.settle_price_units, markets.probability_half_units)`;
  const wentLong = sql`case when (taker.side = 'buy') = (taker.outcome = 'yes') then 1 else -1 end`;
  const isFirst = sql`case when taker.account_id < maker.account_id then 1 else -1 end`;
  return db
    .selectFrom('fills as taker')
    .innerJoin('fills as maker', (join) =>
      join.onRef('maker.seq', '=', 'taker.seq').on('maker.role', '=', sql.lit('maker' as const)),
    )
    .innerJoin('markets', 'markets.id', 'taker.market_id')
    .where('taker.role', '=', TAKER)
    .where('taker.at_ms', '>=', fromMs)
    .select(['taker.quantity as shares', 'taker.at_ms'])
    .select([
      sql<string>`least(taker.account_id, maker.account_id)`.as('one'),
      sql<string>`greatest(taker.account_id, maker.account_id)`.as('other'),
      sql<number>`taker.quantity * (${worth} - 2 * taker.yes_price_units) * ${wentLong} * ${isFirst}`.as('gain'),
    ]);
}
