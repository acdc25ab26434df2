import { HASHED_TABLES } from './row-sets.ts';
import type { RowSets } from './row-sets.ts';
import { TABLE_KEYS } from './row.ts';
import type { Row, TableName } from './row.ts';

/** Rows of one table, in the form that is sent between threads. */
export interface TableRows {
  readonly table: TableName;
  readonly keys: readonly (readonly unknown[])[];
  /** The rows as JSON, with their columns in one order. */
  readonly texts: readonly string[];
}

export class RowCollector {
  #size = 0;
  #tables = new Map<TableName, { readonly keys: unknown[][]; readonly texts: string[] }>();

  /** @param sets receives rows of tables that are compared by a hash; null if each row is compared */
  constructor(private readonly sets: RowSets | null = null) {}

  get size(): number {
    return this.#size;
  }

  add(table: TableName, row: Row): void {
    if (this.sets !== null && HASHED_TABLES.has(table)) {
      this.sets.add(table, row);
      return;
    }
    const columns = Object.keys(TABLE_KEYS[table]);
    let rows = this.#tables.get(table);
    if (rows === undefined) {
      rows = { keys: columns.map(() => []), texts: [] };
      this.#tables.set(table, rows);
    }
    for (const [index, column] of columns.entries()) rows.keys[index]?.push(row[column]);
    rows.texts.push(JSON.stringify(row));
    this.#size += 1;
  }

  take(): readonly TableRows[] {
    const taken = [...this.#tables].map(([table, rows]) => ({ table, ...rows }));
    this.#tables = new Map();
    this.#size = 0;
    return taken;
  }
}
