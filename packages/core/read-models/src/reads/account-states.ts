import { accountsOf } from '../models/accounts/rows-after.ts';
import type { OrderRow } from '../models/orders/table.ts';
import type { ReadDb } from '../models/tables.ts';

/** The state of an account from which its next events are made: its cash, and its live orders. */
export interface AccountState {
  readonly cashUnits: number;
  readonly orders: readonly OrderRow[];
}

/** The present states of these accounts, by id. */
export async function accountStates(
  db: ReadDb,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, AccountState>> {
  const accounts = await accountsOf(db, accountIds).select(['id', 'cash_units']).execute();
  const orders = await db
    .selectFrom('orders')
    .selectAll()
    .where((eb) => eb('account_id', '=', eb.fn.any(eb.val(accountIds))))
    .where('ended_seq', 'is', null)
    .execute();
  const states = new Map<string, { readonly cashUnits: number; readonly orders: OrderRow[] }>();
  for (const { id, cash_units: cashUnits } of accounts) states.set(id, { cashUnits, orders: [] });
  for (const order of orders) states.get(order.account_id)?.orders.push(order);
  return states;
}
