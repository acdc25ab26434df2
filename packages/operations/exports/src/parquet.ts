import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { SchemaElement } from 'hyparquet-writer';
import type { Cell, Column, Columns, FileFacts, Row } from './columns.ts';

interface WaitingColumn {
  readonly name: string;
  readonly column: Column;
  readonly cells: Cell[];
}

/** Parquet, compressed by Snappy, a row group for each `take`. The metadata has the manifest's facts, and units. */
export class ParquetEncoder {
  readonly #bytes = new ByteWriter();
  readonly #parquet: ParquetWriter;
  readonly #waiting: readonly WaitingColumn[];
  #rows = 0;

  constructor(private readonly columns: Columns) {
    this.#waiting = Object.entries(columns).map(([name, column]) => ({ name, column, cells: [] }));
    const elements = Object.entries(columns).map(([name, column]) => elementOf(name, column));
    this.#parquet = new ParquetWriter({
      writer: this.#bytes,
      schema: [{ name: 'root', num_children: elements.length }, ...elements],
      createdBy: 'paper-trading-service',
    });
  }

  /** The cells are kept by columns, so that rows are garbage before the collector would move them. */
  add(row: Row): void {
    for (const { cells, name } of this.#waiting) cells.push(row[name] ?? null);
    this.#rows += 1;
  }

  take(): Uint8Array {
    const columnData = this.#waiting.map(({ name, column, cells }) => ({
      name,
      data: storedCells(cells.splice(0), column),
      // Without the smallest and the largest id, which no reader searches by.
      statistics: column.type !== 'string',
    }));
    void this.#parquet.write({ columnData, rowGroupSize: this.#rows });
    this.#rows = 0;
    return this.#written();
  }

  end(facts: FileFacts): Uint8Array {
    const units = Object.entries(this.columns).flatMap(([name, { unit }]) => (unit === null ? [] : [[name, unit]]));
    const metadata = { ...facts, units: JSON.stringify(Object.fromEntries(units)) };
    this.#parquet.kvMetadata = Object.entries(metadata).map(([key, value]) => ({ key: `paper_trading.${key}`, value }));
    void this.#parquet.finish();
    return this.#written();
  }

  /** The bytes written since the last call. The writer still counts offsets from the start of the file. */
  #written(): Uint8Array {
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

const HIGH = 2 ** 32;

/** Cells as Parquet stores them: every whole number is an INT64. */
function storedCells(cells: Cell[], { isNullable, type }: Column): (Cell | bigint)[] | BigInt64Array {
  if (type !== 'int64' && type !== 'timestamp') return cells;
  if (isNullable) return cells.map((cell) => (typeof cell === 'number' ? BigInt(cell) : null));
  const stored = new BigInt64Array(cells.length);
  // By halves, since a BigInt of each would be an object of its own.
  const halves = new DataView(stored.buffer);
  for (const [index, cell] of (cells as number[]).entries()) {
    halves.setInt32(8 * index, cell % HIGH, true);
    halves.setInt32(8 * index + 4, Math.floor(cell / HIGH), true);
  }
  return stored;
}
