import type { Columns, ColumnType } from './columns.ts';
import { BinaryFields } from './binary-fields.ts';

/** Size at which a chunk is passed on: large enough to be sent at once, small enough to copy. */
const CHUNK_BYTES = 262_144;

const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1');
const END = -1;

/** Rows of one table in the binary format of COPY, all columns in the order of their declaration. */
export class CopyRows<R extends object> {
  #rows = 0;
  readonly #fields = new BinaryFields();
  readonly #chunks: Buffer[] = [];
  readonly #columns: readonly { readonly name: string; readonly type: ColumnType }[];

  constructor(columns: Columns) {
    this.#columns = Object.entries(columns).map(([name, { sql: type }]) => ({ name, type }));
  }

  get rows(): number {
    return this.#rows;
  }

  /** @throws TypeError for a value whose type is not that of its column. */
  add(row: R): void {
    const values = row as Readonly<Record<string, unknown>>;
    const fields = this.#fields;
    if (this.#rows === 0) this.#begin();
    fields.int16(this.#columns.length);
    for (const { name, type } of this.#columns) fields.field(type, values[name]);
    this.#rows += 1;
    if (fields.length >= CHUNK_BYTES) this.#chunks.push(fields.take());
  }

  /** Returns all rows; none may be added afterwards. */
  end(): readonly Buffer[] {
    this.#fields.int16(END);
    return [...this.#chunks, this.#fields.take()];
  }

  #begin(): void {
    this.#fields.bytes(SIGNATURE);
    // The header has no flags, and no extension.
    this.#fields.int32(0);
    this.#fields.int32(0);
  }
}
