import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { SchemaElement } from 'hyparquet-writer';
import type { Cell, Column, Columns, Row } from './columns.ts';

/** Parquet with a row group for each call of `encode`, compressed by Snappy. Times are TIMESTAMP (ms, UTC). */
export class ParquetEncoder {
  readonly #bytes = new ByteWriter();
  readonly #parquet: ParquetWriter;

  constructor(private readonly columns: Columns) {
    const elements = Object.entries(columns).map(([name, column]) => elementOf(name, column));
    this.#parquet = new ParquetWriter({
      writer: this.#bytes,
      schema: [{ name: 'root', num_children: elements.length }, ...elements],
      createdBy: 'paper-trading-service',
    });
  }

  start(): Uint8Array {
    return this.#take();
  }

  encode(rows: readonly Row[]): Uint8Array {
    const columnData = Object.entries(this.columns).map(([name, column]) => ({
      name,
      data: rows.map((row) => physical(row[name] ?? null, column)),
    }));
    void this.#parquet.write({ columnData, rowGroupSize: rows.length });
    return this.#take();
  }

  end(): Uint8Array {
    void this.#parquet.finish();
    return this.#take();
  }

  /** The bytes written since the last call. The writer still counts offsets from the start of the file. */
  #take(): Uint8Array {
    const taken = Buffer.from(new Uint8Array(this.#bytes.buffer, 0, this.#bytes.index));
    this.#bytes.index = 0;
    return taken;
  }
}

function elementOf(name: string, { isNullable, type }: Column): SchemaElement {
  const element = { name, repetition_type: isNullable ? 'OPTIONAL' : 'REQUIRED' } as const;
  switch (type) {
    case 'int64':
      return { ...element, type: 'INT64' };
    case 'boolean':
      return { ...element, type: 'BOOLEAN' };
    case 'string':
      return { ...element, type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } };
    case 'timestamp':
      return {
        ...element,
        type: 'INT64',
        logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
      };
  }
}

/** The value as Parquet stores it: every whole number is an INT64. */
function physical(cell: Cell, { type }: Column): Cell | bigint {
  return typeof cell === 'number' && (type === 'int64' || type === 'timestamp') ? BigInt(cell) : cell;
}
