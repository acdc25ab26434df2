import type { Columns, ColumnType } from './columns.ts';
import { BinaryFields } from './binary-fields.ts';
import { FEW_ROWS, rowParameters } from './row-parameters.ts';
import type { ParameterColumn, RowParameters } from './row-parameters.ts';

/** One column's values of many rows, as one array. */
export interface ColumnArray {
  readonly name: string;
  /** The name in Postgres of an array of the column's type. */
  readonly arrayType: string;
  /** Whether its elements are JSON texts of arrays: Postgres has no arrays of arrays of different lengths. */
  readonly ofJson: boolean;
  readonly array: Buffer;
}

interface EncodedColumn extends ParameterColumn {
  readonly fields: BinaryFields;
}

/** Rows that are sent as one array for each column. They are encoded when they are added, but for the first few. */
export class RowColumns<R extends object> {
  #rows = 0;
  /** The first rows, until there are more than a few. */
  #few: R[] = [];
  #encoded: readonly EncodedColumn[] = [];
  readonly #columns: readonly ParameterColumn[];

  constructor(columns: Columns, names: readonly string[] = Object.keys(columns)) {
    this.#columns = names.map((name) => ({ name, type: columns[name]?.sql ?? 'text' }));
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

  /**
   * All rows as single parameters, where they are a few and have no arrays; else null.
   *
   * @throws TypeError for a value whose type is not that of its column.
   */
  get parameters(): RowParameters | null {
    return this.#rows <= FEW_ROWS ? rowParameters(this.#columns, this.#few) : null;
  }

  /** @throws TypeError for a value whose type is not that of its column; for the first few rows, `end` throws it. */
  add(row: R): void {
    this.#rows += 1;
    if (this.#rows <= FEW_ROWS) {
      this.#few.push(row);
      return;
    }
    this.#encodeFew();
    this.#encode(row);
  }

  /** Returns the arrays; no row may be added afterwards. */
  end(): readonly ColumnArray[] {
    this.#encodeFew();
    return this.#encoded.map(({ name, type, fields }) => {
      const elements = elementType(type);
      fields.arrayHead(elements, this.#rows, 0);
      return { name, arrayType: `${elements}[]`, ofJson: type === 'text[]', array: fields.take() };
    });
  }

  #encodeFew(): void {
    if (this.#encoded.length > 0) return;
    this.#encoded = this.#columns.map((column) => ({ ...column, fields: new BinaryFields() }));
    if (this.#few.length > 0) for (const { type, fields } of this.#encoded) fields.arrayHead(elementType(type), 1);
    for (const row of this.#few) this.#encode(row);
    this.#few = [];
  }

  #encode(row: R): void {
    const values = row as Readonly<Record<string, unknown>>;
    for (const { name, type, fields } of this.#encoded) {
      if (type === 'text[]' && values[name] !== null) fields.field('text', JSON.stringify(values[name]));
      else fields.field(elementType(type), values[name]);
    }
  }
}

function elementType(type: ColumnType): ColumnType {
  return type === 'text[]' ? 'text' : type;
}
