import type { ReadDb } from '../../schema/database.ts';
import { displayNameOf } from '../display-name.ts';

/** An account and its cash just after an event. */
export interface AccountAsOf {
  readonly id: string;
  /** The present display name, not the historical one: an account has one name, or none once it was erased. */
  readonly display_name: string | null;
  readonly starting_balance_units: number;
  readonly cash_units: number;
}

/** An account and those of its sub-accounts that were open just after an event. */
export async function fleetAsOf(db: ReadDb, accountId: string, seq: number): Promise<AccountAsOf[]> {
  const rows = await db
    .selectFrom('accounts')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('fills')
          .select(['seq', 'cash_after_units'])
          .whereRef('account_id', '=', 'accounts.id')
          .where('seq', '<=', seq)
          .orderBy('seq', 'desc')
          .limit(1)
          .as('filled'),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('settlements')
          .select(['seq', 'cash_after_units'])
          .whereRef('account_id', '=', 'accounts.id')
          .where('seq', '<=', seq)
          .orderBy('seq', 'desc')
          .limit(1)
          .as('settled'),
      (join) => join.onTrue(),
    )
    .select(['accounts.id', 'accounts.starting_balance_units', displayNameOf().as('display_name')])
    .select(['filled.seq as filled_seq', 'filled.cash_after_units as filled_cash'])
    .select(['settled.seq as settled_seq', 'settled.cash_after_units as settled_cash'])
    .where((eb) => eb.or([eb('accounts.id', '=', accountId), eb('primary_account_id', '=', accountId)]))
    .where('created_seq', '<=', seq)
    .execute();
  return rows.map(({ id, display_name, starting_balance_units, ...moved }) => {
    const isNewer = (moved.settled_seq ?? 0) > (moved.filled_seq ?? 0);
    const cash_units = (isNewer ? moved.settled_cash : moved.filled_cash) ?? starting_balance_units;
    return { id, display_name, starting_balance_units, cash_units };
  });
}
