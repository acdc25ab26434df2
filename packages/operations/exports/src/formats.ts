import { csvLines } from '@paper/contracts';
import type { CsvCell } from '@paper/contracts';
import { iso } from '@paper/contracts/units';
import type { Cell, Column, Columns, FileFacts, Row } from './columns.ts';
import { ParquetEncoder } from './parquet.ts';

export const FORMATS = ['parquet', 'csv', 'ndjson'] as const;
export type Format = (typeof FORMATS)[number];

/** Converts rows to the bytes of a file, in parts: `start`, then `take` after some rows were added, then `end`. */
export interface Encoder {
  start(): Uint8Array;
  add(row: Row): void;
  /** The bytes of the rows since the last call. */
  take(): Uint8Array;
  end(facts: FileFacts): Uint8Array;
}

/** The encoder of one file. */
export function createEncoder(format: Format, columns: Columns): Encoder {
  switch (format) {
    case 'parquet':
      return new ParquetEncoder(columns);
    case 'csv':
      return new CsvEncoder(columns);
    case 'ndjson':
      return new NdjsonEncoder(columns);
  }
}

const NOTHING = new Uint8Array();

/** CSV in the format of the API (RFC 4180): one header line, an empty cell for null, times in ISO 8601. */
class CsvEncoder implements Encoder {
  readonly #names: readonly string[];
  #cells: CsvCell[][] = [];

  constructor(private readonly columns: Columns) {
    this.#names = Object.keys(columns);
  }

  start(): Uint8Array {
    return Buffer.from(csvLines([this.#names]));
  }

  add(row: Row): void {
    this.#cells.push(this.#names.map((name) => shown(row[name], this.columns[name])));
  }

  take(): Uint8Array {
    const lines = csvLines(this.#cells);
    this.#cells = [];
    return Buffer.from(lines);
  }

  end(): Uint8Array {
    return NOTHING;
  }
}

/** One JSON object a line, with its keys in the order of the columns. */
class NdjsonEncoder implements Encoder {
  readonly #names: readonly string[];
  #lines = '';

  constructor(private readonly columns: Columns) {
    this.#names = Object.keys(columns);
  }

  start(): Uint8Array {
    return NOTHING;
  }

  add(row: Row): void {
    const entries = this.#names.map((name) => [name, shown(row[name], this.columns[name])]);
    this.#lines += `${JSON.stringify(Object.fromEntries(entries))}\n`;
  }

  take(): Uint8Array {
    const lines = this.#lines;
    this.#lines = '';
    return Buffer.from(lines);
  }

  end(): Uint8Array {
    return NOTHING;
  }
}

/** The value of a cell in a text format: times are in ISO 8601, UTC, with milliseconds. */
function shown(cell: Cell | undefined, column: Column | undefined): Cell {
  if (cell === undefined) return null;
  return column?.type === 'timestamp' && typeof cell === 'number' ? iso(cell) : cell;
}
