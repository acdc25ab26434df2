import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { SchemaElement } from 'hyparquet-writer';
import { PHYSICAL, writeChunk } from './column-chunk.ts';
import type { Cell, Column, Columns, FileFacts, Row } from './columns.ts';

/** The cells of a column since the last row group. */
interface WaitingColumn {
  readonly name: string;
  readonly column: Column;
  readonly cells: Cell[];
}

/**
 * Parquet with a row group for each call of `take`, compressed by Snappy. Times are TIMESTAMP (ms, UTC). The file's
 * metadata has the facts of the manifest and the units of the columns, under names that begin with `paper_trading.`.
 */
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

  start(): Uint8Array {
    return this.#written();
  }

  /** The cells are kept by columns, so that rows are garbage before the collector would move them. */
  add(row: Row): void {
    for (const { cells, name } of this.#waiting) cells.push(row[name] ?? null);
    this.#rows += 1;
  }

  take(): Uint8Array {
    const start = this.#bytes.offset;
    const chunks = this.#waiting.map(({ cells, column, name }) =>
      writeChunk(this.#bytes, name, column, cells.splice(0)),
    );
    const sizes = chunks.map(({ chunk }) => chunk.meta_data?.total_uncompressed_size ?? 0n);
    this.#parquet.row_groups.push({
      columns: chunks.map(({ chunk }) => chunk),
      total_byte_size: sizes.reduce((sum, size) => sum + size),
      num_rows: BigInt(this.#rows),
      total_compressed_size: BigInt(this.#bytes.offset - start),
    });
    this.#parquet.num_rows += BigInt(this.#rows);
    this.#parquet.pendingIndexes.push(...chunks);
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
  const element = { name, repetition_type: isNullable ? 'OPTIONAL' : 'REQUIRED', type: PHYSICAL[type] } as const;
  if (type === 'string') return { ...element, converted_type: 'UTF8', logical_type: { type: 'STRING' } };
  if (type !== 'timestamp') return element;
  return { ...element, logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' } };
}
