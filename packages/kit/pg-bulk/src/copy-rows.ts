import type { Columns } from './columns.ts';
import { BinaryFields } from './binary-fields.ts';
import { EncodedRows } from './encoded-rows.ts';

/** The size at which a chunk is passed on: large enough to be sent at once, small enough to copy. */
const CHUNK_BYTES = 262_144;

const SIGNATURE = Buffer.from('PGCOPY\n\u00ff\r\n\0', 'latin1');
const END = -1;

/** Rows of one table in the binary format of COPY, all columns in the order of their declaration. */
export class CopyRows<R extends object> extends EncodedRows<R> {
  readonly #fields = new BinaryFields();
  readonly #chunks: Buffer[] = [];

  constructor(columns: Columns) {
    super(Object.entries(columns).map(([name, { sql: type }]) => ({ name, type })));
  }

  end(): readonly Buffer[] {
    this.encodeFew();
    this.#fields.int16(END);
    return [...this.#chunks, this.#fields.take()];
  }

  protected override begin(): void {
    this.#fields.bytes(SIGNATURE);
    // The header has no flags, and no extension.
    this.#fields.int32(0);
    this.#fields.int32(0);
  }

  protected override encode(row: R): void {
    const values = row as Readonly<Record<string, unknown>>;
    const fields = this.#fields;
    fields.int16(this.columns.length);
    for (const { name, type } of this.columns) fields.field(type, values[name]);
    if (fields.length >= CHUNK_BYTES) this.#chunks.push(fields.take());
  }
}
