import type { Columns } from './columns.ts';
import { BinaryFields } from './binary-fields.ts';
import { FEW_ROWS, rowParameters } from './row-parameters.ts';
import type { ParameterColumn, RowParameters } from './row-parameters.ts';

/** Size at which a chunk is passed on: large enough to be sent at once, small enough to copy. */
const CHUNK_BYTES = 262_144;

const SIGNATURE = Buffer.from('PGCOPY\n\u00ff\r\n\0', 'latin1');
const END = -1;

/**
 * Rows of one table in the binary format of COPY, all columns in the order of their declaration. They are encoded when they
 * are added, but for the first few.
 */
export class CopyRows<R extends object> {
  #rows = 0;
  /** The first rows, until there are more than a few. */
  #few: R[] = [];
  readonly #fields = new BinaryFields();
  readonly #chunks: Buffer[] = [];
  readonly #columns: readonly ParameterColumn[];

  constructor(columns: Columns) {
    this.#columns = Object.entries(columns).map(([name, { sql: type }]) => ({ name, type }));
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

  /** Returns all rows; none may be added afterwards. */
  end(): readonly Buffer[] {
    this.#encodeFew();
    this.#fields.int16(END);
    return [...this.#chunks, this.#fields.take()];
  }

  #encodeFew(): void {
    const few = this.#few;
    if (few.length === 0) return;
    this.#few = [];
    this.#begin();
    for (const row of few) this.#encode(row);
  }

  #encode(row: R): void {
    const values = row as Readonly<Record<string, unknown>>;
    const fields = this.#fields;
    fields.int16(this.#columns.length);
    for (const { name, type } of this.#columns) fields.field(type, values[name]);
    if (fields.length >= CHUNK_BYTES) this.#chunks.push(fields.take());
  }

  #begin(): void {
    this.#fields.bytes(SIGNATURE);
    // The header has no flags, and no extension.
    this.#fields.int32(0);
    this.#fields.int32(0);
  }
}
