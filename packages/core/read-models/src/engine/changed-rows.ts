import type { Plan } from './plan.ts';
import type { Table, Writable } from './table.ts';

/** The rows of a batch in a table whose key is one column: new rows, and changes of stored rows. */
export class ChangedRows<R extends object> {
  readonly #added = new Map<R[keyof R], Writable<R>>();
  readonly #changed = new Map<R[keyof R], Partial<R>>();
  readonly #key: keyof R & string;

  constructor(private readonly table: Table) {
    this.#key = table.primaryKey[0] as keyof R & string;
  }

  get added(): Iterable<R> {
    return this.#added.values();
  }

  add(row: R): void {
    this.#added.set(row[this.#key], row);
  }

  /** Sets columns of a new row, or of a stored one. */
  set(key: R[keyof R], columns: Partial<R>): void {
    const row = this.#added.get(key);
    if (row === undefined) this.#changed.set(key, { ...this.#changed.get(key), ...columns });
    else Object.assign(row, columns);
  }

  /** Plans the rows and drops them from memory: one statement for each set of columns that are changed together. */
  plan(plan: Plan): void {
    plan.insert(this.table, [...this.#added.values()]);
    const byColumns = new Map<string, object[]>();
    for (const [key, columns] of this.#changed) {
      const names = Object.keys(columns).sort().join();
      const rows = byColumns.get(names) ?? [];
      rows.push({ [this.#key]: key, ...columns });
      byColumns.set(names, rows);
    }
    for (const rows of byColumns.values()) plan.change(this.table, rows);
    this.#added.clear();
    this.#changed.clear();
  }
}
