import { CopyRows, RowColumns } from '@paper/pg-bulk';
import type { FoldSettings, ModelRows } from '../../engine/model.ts';
import type { Plan } from '../../engine/plan.ts';
import type { Table } from '../../engine/table.ts';
import { ACCOUNTS } from '../accounts/table.ts';
import type { Positions } from './fold.ts';
import { POSITIONS } from './table.ts';

/** SQL for balances before the batch: `a` is the account's row, `p` its position in the market, if it has one. */
const BALANCES_BEFORE = {
  cash_after_units: 'a.cash_units',
  yes_shares_after: 'coalesce(p.yes_shares, 0)',
  no_shares_after: 'coalesce(p.no_shares, 0)',
  yes_cost_after_units: 'coalesce(p.yes_cost_units, 0)',
  no_cost_after_units: 'coalesce(p.no_cost_units, 0)',
};

/**
 * New rows about movements of accounts in markets. If the balances before the batch are not in memory, the columns of
 * `BALANCES_BEFORE` hold the change since the batch began, and the write adds the balance before it.
 */
export class MovedRows<R extends object> implements ModelRows {
  readonly isWritten: boolean;
  #rows: CopyRows<R> | RowColumns<R> | null = null;

  /** @param known the balances that each row has from its event */
  constructor(
    private readonly table: Table,
    { writes }: FoldSettings,
    private readonly known: readonly string[] = [],
  ) {
    this.isWritten = writes(table);
  }

  add(row: R, { holdings }: Positions): void {
    this.#rows ??= holdings === null ? new RowColumns(this.table.columns) : new CopyRows(this.table.columns);
    this.#rows.add(row);
  }

  planAdded(plan: Plan): void {
    const rows = this.#rows;
    this.#rows = null;
    if (rows instanceof CopyRows) plan.copy(this.table, rows);
    if (!(rows instanceof RowColumns)) return;
    plan.insertJoined(
      this.table,
      rows,
      `join ${plan.nameOf(ACCOUNTS)} a on a.id = r.account_id
        left join ${plan.nameOf(POSITIONS)} p on p.account_id = r.account_id and p.market_id = r.market_id`,
      Object.fromEntries(
        Object.entries(BALANCES_BEFORE)
          .filter(([name]) => name in this.table.columns && !this.known.includes(name))
          .map(([name, before]) => [name, `${before} + r.${name}`]),
      ),
    );
  }
}
