/**
 * Rows that travel as one array a column. They are taken apart when they are added: a list of numbers is far less to keep
 * than as many rows of them.
 */
export class RowColumns<R extends object> {
  #rows = 0;
  readonly #names: readonly string[];
  readonly #lists: readonly unknown[][];

  constructor(names: readonly string[]) {
    this.#names = names;
    this.#lists = names.map(() => []);
  }

  /** Rows that all have the columns of the first. */
  static of<R extends object>(rows: readonly R[]): RowColumns<R> {
    const columns = new RowColumns<R>(Object.keys(rows[0] ?? {}));
    for (const row of rows) columns.add(row);
    return columns;
  }

  get rows(): number {
    return this.#rows;
  }

  add(row: R): void {
    const values = row as Readonly<Record<string, unknown>>;
    this.#names.forEach((name, position) => this.#lists[position]?.push(values[name]));
    this.#rows += 1;
  }

  /** The columns with their values. */
  entries(): readonly (readonly [name: string, values: readonly unknown[]])[] {
    return this.#names.map((name, position) => [name, this.#lists[position] ?? []]);
  }
}
