import { CopyRows } from '@paper/pg-bulk';
import type { FoldSettings, ModelRows } from './model.ts';
import type { Plan } from './plan.ts';
import type { Table } from './table.ts';

/** New rows that no later event changes. They are encoded at once, and written before the batch ends. */
export class AddedRows<R extends object> implements ModelRows {
  readonly isWritten: boolean;
  #rows: CopyRows<R>;

  constructor(
    private readonly table: Table,
    { writes }: FoldSettings,
  ) {
    this.isWritten = writes(table);
    this.#rows = new CopyRows(table.columns);
  }

  add(row: R): void {
    if (this.isWritten) this.#rows.add(row);
  }

  planAdded(plan: Plan): void {
    plan.copy(this.table, this.#rows);
    if (this.#rows.rows > 0) this.#rows = new CopyRows(this.table.columns);
  }
}
