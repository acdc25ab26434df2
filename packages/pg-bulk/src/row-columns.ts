import type { Columns, ColumnType } from './columns.ts';
import { BinaryFields } from './binary-fields.ts';

/** One column's values of many rows, as one array. */
export interface ColumnArray {
  readonly name: string;
  /** The name in Postgres of an array of the column's type. */
  readonly arrayType: string;
  /** Whether its elements are JSON texts of arrays: Postgres has no arrays of arrays of different lengths. */
  readonly ofJson: boolean;
  readonly array: Buffer;
}

/** Rows that are sent as one array for each column. They are encoded when they are added. */
export class RowColumns<R extends object> {
  #rows = 0;
  readonly #columns: readonly { readonly name: string; readonly type: ColumnType; readonly fields: BinaryFields }[];

  constructor(columns: Columns, names: readonly string[] = Object.keys(columns)) {
    this.#columns = names.map((name) => {
      const fields = new BinaryFields();
      const type = columns[name]?.sql ?? 'text';
      return { name, type, fields };
    });
  }

  /** Makes the arrays of these rows, with those of the columns that the first row has. Other fields are ignored. */
  static of<R extends object>(columns: Columns, rows: readonly R[]): RowColumns<R> {
    const first = rows[0] ?? {};
    const names = Object.keys(columns).filter((name) => name in first);
    const taken = new RowColumns<R>(columns, names);
    for (const row of rows) taken.add(row);
    return taken;
  }

  get rows(): number {
    return this.#rows;
  }

  /** @throws TypeError for a value whose type is not that of its column. */
  add(row: R): void {
    const values = row as Readonly<Record<string, unknown>>;
    for (const { name, type, fields } of this.#columns) {
      if (this.#rows === 0) fields.arrayHead(elementType(type), 1);
      const value = values[name];
      if (type === 'text[]' && value !== null) fields.field('text', JSON.stringify(value));
      else fields.field(elementType(type), value);
    }
    this.#rows += 1;
  }

  /** Returns the arrays; no row may be added afterwards. */
  end(): readonly ColumnArray[] {
    return this.#columns.map(({ name, type, fields }) => {
      const elements = elementType(type);
      fields.arrayHead(elements, this.#rows, 0);
      return { name, arrayType: `${elements}[]`, ofJson: type === 'text[]', array: fields.take() };
    });
  }
}

function elementType(type: ColumnType): ColumnType {
  return type === 'text[]' ? 'text' : type;
}
