import type { ExpressionBuilder } from 'kysely';
import type { Accounts } from '../../models/accounts/rows-after.ts';
import { onTrue } from '../../models/on-true.ts';
import type { ReadTables } from '../../models/tables.ts';
import { moments } from './moments.ts';

/** An account and its cash just after an event. */
export type AccountAsOf = Awaited<ReturnType<typeof accountsAsOf>>[number];

/** The given accounts, as they were just after each of these events; an account is left out before its opening. */
export async function accountsAsOf(accounts: Accounts, seqs: readonly number[]) {
  const rows = await accounts
    .innerJoin(moments(seqs), (join) => join.onRef('accounts.created_seq', '<=', 'moment.seq'))
    .leftJoinLateral((eb) => lastFrom('fills', eb).as('filled'), onTrue)
    .leftJoinLateral((eb) => lastFrom('settlements', eb).as('settled'), onTrue)
    .leftJoinLateral((eb) => lastFrom('merges', eb).as('merged'), onTrue)
    .select(['moment.seq', 'accounts.id as accountId', 'accounts.starting_balance_units as startingBalanceUnits'])
    .select(['filled.seq as filled_seq', 'filled.cash_after_units as filled_cash'])
    .select(['settled.seq as settled_seq', 'settled.cash_after_units as settled_cash'])
    .select(['merged.seq as merged_seq', 'merged.cash_after_units as merged_cash'])
    .execute();
  return rows.map(({ seq, accountId, startingBalanceUnits, ...moved }) => {
    const newestFirst = [
      { at: moved.filled_seq ?? 0, cash: moved.filled_cash },
      { at: moved.settled_seq ?? 0, cash: moved.settled_cash },
      { at: moved.merged_seq ?? 0, cash: moved.merged_cash },
    ].sort((a, b) => b.at - a.at);
    return { seq, accountId, startingBalanceUnits, cashUnits: newestFirst[0]?.cash ?? startingBalanceUnits };
  });
}

/** The account's last row in this table up to the event. */
function lastFrom(
  table: 'fills' | 'merges' | 'settlements',
  eb: ExpressionBuilder<ReadTables & { readonly moment: { readonly seq: number } }, 'accounts' | 'moment'>,
) {
  return eb
    .selectFrom(table as 'fills')
    .select(['seq', 'cash_after_units'])
    .whereRef('account_id', '=', 'accounts.id')
    .whereRef('seq', '<=', 'moment.seq')
    .orderBy('seq', 'desc')
    .limit(1);
}
