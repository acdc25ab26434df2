import type { Columns, ColumnType } from './columns.ts';
import { BinaryFields } from './binary-fields.ts';
import { EncodedRows } from './encoded-rows.ts';
import type { ParameterColumn } from './row-parameters.ts';

export interface ColumnArray {
  readonly name: string;
  readonly arrayType: string;
  /** Whether the elements are arrays as JSON texts: Postgres has no arrays of arrays of different lengths. */
  readonly ofJson: boolean;
  readonly array: Buffer;
}

interface EncodedColumn extends ParameterColumn {
  readonly fields: BinaryFields;
}

export class RowColumns<R extends object> extends EncodedRows<R> {
  #encoded: readonly EncodedColumn[] = [];

  constructor(columns: Columns, names: readonly string[] = Object.keys(columns)) {
    super(names.map((name) => ({ name, type: columns[name]?.sql ?? 'text' })));
  }

  /** Builds the arrays of these rows, for the columns that the first row has. Other fields are ignored. */
  static of<R extends object>(columns: Columns, rows: readonly R[]): RowColumns<R> {
    const first = rows[0] ?? {};
    const names = Object.keys(columns).filter((name) => name in first);
    const taken = new RowColumns<R>(columns, names);
    for (const row of rows) taken.add(row);
    return taken;
  }

  end(): readonly ColumnArray[] {
    this.encodeFew();
    // Without a row, the arrays are empty.
    if (this.rows === 0) this.begin();
    return this.#encoded.map(({ name, type, fields }) => {
      const elements = elementType(type);
      fields.arrayHead(elements, this.rows, 0);
      return { name, arrayType: `${elements}[]`, ofJson: type === 'text[]', array: fields.take() };
    });
  }

  protected override begin(): void {
    this.#encoded = this.columns.map((column) => ({ ...column, fields: new BinaryFields() }));
    if (this.rows > 0) for (const { type, fields } of this.#encoded) fields.arrayHead(elementType(type), 1);
  }

  protected override encode(row: R): void {
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
