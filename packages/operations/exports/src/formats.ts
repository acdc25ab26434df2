import { csvLines } from '@paper/contracts';
import { iso } from '@paper/contracts/units';
import type { Cell, Column, Columns, FileFacts, Row } from './columns.ts';
import { ParquetEncoder } from './parquet.ts';

export const FORMATS = ['parquet', 'csv', 'ndjson'] as const;
export type Format = (typeof FORMATS)[number];

/** Converts rows to the bytes of a file, in parts: `take` after some rows were added, then `end`. */
export interface Encoder {
  add(row: Row): void;
  /** The bytes of the rows that were added since the last call. The first bytes include the head of the file. */
  take(): Uint8Array;
  end(facts: FileFacts): Uint8Array;
}

/** The encoder of one file. */
export function createEncoder(format: Format, columns: Columns): Encoder {
  return format === 'parquet' ? new ParquetEncoder(columns) : new LineEncoder(columns, format);
}

/**
 * CSV in the format of the API (RFC 4180), with one header line and an empty cell for null, or NDJSON, one object a line
 * with its keys in the order of the columns. Times are in ISO 8601, UTC, with milliseconds.
 */
class LineEncoder implements Encoder {
  readonly #columns: readonly (readonly [name: string, column: Column])[];
  #lines: string;

  constructor(
    columns: Columns,
    private readonly format: 'csv' | 'ndjson',
  ) {
    this.#columns = Object.entries(columns);
    this.#lines = format === 'csv' ? csvLines([Object.keys(columns)]) : '';
  }

  add(row: Row): void {
    if (this.format === 'csv') {
      this.#lines += csvLines([this.#columns.map(([name, column]) => shown(row[name] ?? null, column))]);
    } else {
      const cells = this.#columns.map(([name, column]) => [name, shown(row[name] ?? null, column)]);
      this.#lines += `${JSON.stringify(Object.fromEntries(cells))}\n`;
    }
  }

  take(): Uint8Array {
    const lines = this.#lines;
    this.#lines = '';
    return Buffer.from(lines);
  }

  end(): Uint8Array {
    return this.take();
  }
}

function shown(cell: Cell, { type }: Column): Cell {
  return type === 'timestamp' && typeof cell === 'number' ? iso(cell) : cell;
}
