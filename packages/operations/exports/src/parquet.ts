import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { SchemaElement } from 'hyparquet-writer';
import type { Cell, Column, Columns, FileFacts, Row } from './columns.ts';

/**
 * Parquet with a row group for each call of `encode`, compressed by Snappy. Times are TIMESTAMP (ms, UTC). The file's
 * metadata has the facts of the manifest and the units of the columns, under names that begin with `paper_trading.`.
 */
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
      data: cellsOf(rows, name, column),
      // Without the smallest and the largest id, which no reader searches by.
      statistics: column.type !== 'string',
    }));
    void this.#parquet.write({ columnData, rowGroupSize: rows.length });
    return this.#take();
  }

  end(facts: FileFacts): Uint8Array {
    const units = Object.entries(this.columns).flatMap(([name, { unit }]) => (unit === null ? [] : [[name, unit]]));
    const metadata = { ...facts, units: JSON.stringify(Object.fromEntries(units)) };
    this.#parquet.kvMetadata = Object.entries(metadata).map(([key, value]) => ({ key: `paper_trading.${key}`, value }));
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
    case 'double':
      return { ...element, type: 'DOUBLE' };
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

/** The cells of a column as Parquet stores them: every whole number is an INT64. */
function cellsOf(rows: readonly Row[], name: string, { isNullable, type }: Column): (Cell | bigint)[] | BigInt64Array {
  if (type !== 'int64' && type !== 'timestamp') return rows.map((row) => row[name] ?? null);
  if (isNullable) return rows.map((row) => (typeof row[name] === 'number' ? BigInt(row[name]) : null));
  const cells = new BigInt64Array(rows.length);
  for (const [index, row] of rows.entries()) cells[index] = BigInt(row[name] as number);
  return cells;
}
