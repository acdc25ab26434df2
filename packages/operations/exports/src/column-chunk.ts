import { ByteWriter } from 'hyparquet-writer';
import type { ParquetWriter } from 'hyparquet-writer';
import { writePageHeader } from 'hyparquet-writer/src/datapage.js';
import { writeRleBitPackedHybrid } from 'hyparquet-writer/src/encoding.js';
import { writePlain } from 'hyparquet-writer/src/plain.js';
import type { Cell, Column, ColumnType } from './columns.ts';
import { snappyCompress } from './snappy.ts';

/** A written chunk, as the footer lists it. */
export type WrittenChunk = ParquetWriter['pendingIndexes'][number];
type Statistics = NonNullable<NonNullable<WrittenChunk['chunk']['meta_data']>['statistics']>;
type PageLocation = NonNullable<WrittenChunk['offsetIndex']>['page_locations'][number];
type Value = NonNullable<Cell>;
type Physical = 'INT64' | 'DOUBLE' | 'BOOLEAN' | 'BYTE_ARRAY';

/** The type in which Parquet stores each type of column. */
export const PHYSICAL = {
  int64: 'INT64',
  timestamp: 'INT64',
  double: 'DOUBLE',
  boolean: 'BOOLEAN',
  string: 'BYTE_ARRAY',
} as const satisfies Record<ColumnType, Physical>;

/** A page ends before the value that would make it as large as this. */
const PAGE_BYTES = 2 ** 20;
/** A column has no dictionary where more than this part of the bytes of a sample are of different values. */
const SAMPLE = { cells: 1_000, different: 0.9 };

/**
 * Writes the cells of one column of a row group: in pages that Snappy compresses, with a dictionary where that halves
 * their size. The bytes are those of hyparquet's own `write`, which makes several BigInts of each number and an array
 * of each text: that was a third of an export's processor time.
 */
export function writeChunk(writer: ByteWriter, name: string, column: Column, cells: readonly Cell[]): WrittenChunk {
  if (!column.isNullable && cells.includes(null)) throw new RangeError(`a row has no ${name}`);
  const type = PHYSICAL[column.type];
  const start = writer.offset;
  const dictionary = type === 'BOOLEAN' ? null : dictionaryOf(cells);
  let bytes = 0;
  if (dictionary !== null) bytes += writeDictionary(writer, dictionary.values, type);
  const encoding = dictionary !== null ? 'RLE_DICTIONARY' : type === 'BOOLEAN' && cells.length > 16 ? 'RLE' : 'PLAIN';
  const pagesStart = writer.offset;
  const pages: PageLocation[] = [];
  for (const { from, to } of pagesOf(dictionary?.indexes ?? cells, dictionary === null ? bytesOf : () => 4)) {
    const offset = writer.offset;
    bytes += writePage(writer, (dictionary?.indexes ?? cells).slice(from, to), { column, encoding, type });
    pages.push({
      offset: BigInt(offset),
      compressed_page_size: writer.offset - offset,
      first_row_index: BigInt(from),
    });
  }
  // Without the smallest and the largest text, which no reader searches by.
  const hasStatistics = type !== 'BYTE_ARRAY';
  const dataPages = { page_type: 'DATA_PAGE_V2', encoding, count: pages.length } as const;
  const dictionaryPage = { page_type: 'DICTIONARY_PAGE', encoding: 'PLAIN', count: 1 } as const;
  const chunk: WrittenChunk['chunk'] = {
    meta_data: {
      type,
      encodings: dictionary === null ? [encoding] : ['PLAIN', encoding],
      path_in_schema: [name],
      codec: 'SNAPPY',
      num_values: BigInt(cells.length),
      total_compressed_size: BigInt(writer.offset - start),
      total_uncompressed_size: BigInt(bytes),
      data_page_offset: BigInt(pagesStart),
      ...(dictionary !== null && { dictionary_page_offset: BigInt(start) }),
      ...(hasStatistics && {
        statistics: statisticsOf(cells, type),
        encoding_stats: dictionary === null ? [dataPages] : [dictionaryPage, dataPages],
      }),
    },
    file_offset: BigInt(start),
  };
  return pages.length > 1 ? { chunk, offsetIndex: { page_locations: pages } } : { chunk };
}

interface Dictionary {
  readonly values: readonly Value[];
  /** For each cell the index of its value; null for null. */
  readonly indexes: readonly (number | null)[];
}

/** Null if a dictionary and its indexes would not halve the bytes of the column. */
function dictionaryOf(cells: readonly Cell[]): Dictionary | null {
  if (!mayRepeat(cells)) return null;
  const indexOf = new Map<Value, number>();
  const indexes: (number | null)[] = [];
  let [values, plainBytes, dictionaryBytes] = [0, 0, 0];
  for (const cell of cells) {
    if (cell === null) {
      indexes.push(null);
      continue;
    }
    const bytes = estimateOf(cell);
    let index = indexOf.get(cell);
    if (index === undefined) {
      index = indexOf.size;
      indexOf.set(cell, index);
      dictionaryBytes += bytes;
    }
    indexes.push(index);
    plainBytes += bytes;
    values += 1;
  }
  const indexBytes = Math.ceil((values * Math.ceil(Math.log2(indexOf.size))) / 8);
  return 2 * (dictionaryBytes + indexBytes) > plainBytes ? null : { values: [...indexOf.keys()], indexes };
}

/** Whether enough cells of a sample have the same value. */
function mayRepeat(cells: readonly Cell[]): boolean {
  const size = Math.min(cells.length, SAMPLE.cells);
  const seen = new Set<Cell>();
  let [bytes, different] = [0, 0];
  for (let n = 0; n < size; n += 1) {
    const cell = cells[size === 1 ? 0 : Math.floor((n * (cells.length - 1)) / (size - 1))] ?? null;
    const own = estimateOf(cell);
    bytes += own;
    if (!seen.has(cell)) different += own;
    seen.add(cell);
  }
  return bytes > 0 && different / bytes <= SAMPLE.different;
}

/** About the bytes of a number or a text, whose length is stored in four bytes. */
function estimateOf(cell: Cell): number {
  if (cell === null) return 0;
  return typeof cell === 'string' ? cell.length + 4 : 8;
}

/** The bytes of a cell by which pages end. */
function bytesOf(cell: Cell): number {
  if (typeof cell === 'string') return Buffer.byteLength(cell);
  return typeof cell === 'boolean' ? 1 / 8 : 8;
}

function pagesOf(cells: readonly Cell[], bytesOfValue: (cell: Value) => number) {
  const pages: { readonly from: number; readonly to: number }[] = [];
  let [from, bytes] = [0, 0];
  for (const [index, cell] of cells.entries()) {
    const own = cell === null ? 0 : bytesOfValue(cell);
    bytes += own;
    if (bytes < PAGE_BYTES || index === from) continue;
    pages.push({ from, to: index });
    [from, bytes] = [index, own];
  }
  return [...pages, { from, to: cells.length }];
}

interface PageKind {
  readonly column: Column;
  readonly encoding: 'RLE_DICTIONARY' | 'RLE' | 'PLAIN';
  readonly type: Physical;
}

/** Returns the bytes of the page before compression, its header included. */
function writePage(writer: ByteWriter, cells: readonly Cell[], { column, encoding, type }: PageKind): number {
  const values = column.isNullable ? cells.filter((cell) => cell !== null) : (cells as readonly Value[]);
  const levels = new ByteWriter();
  if (column.isNullable) {
    writeRleBitPackedHybrid(
      levels,
      cells.map((cell) => (cell === null ? 0 : 1)),
      1,
    );
  }
  const bytes = encoding === 'PLAIN' ? plainBytes(values, type) : packedBytes(values as readonly number[], encoding);
  const compressed = snappyCompress(bytes);
  const start = writer.offset;
  writePageHeader(writer, {
    type: 'DATA_PAGE_V2',
    uncompressed_page_size: levels.offset + bytes.length,
    compressed_page_size: levels.offset + compressed.length,
    data_page_header_v2: {
      num_values: cells.length,
      num_nulls: cells.length - values.length,
      num_rows: cells.length,
      encoding,
      definition_levels_byte_length: levels.offset,
      repetition_levels_byte_length: 0,
      is_compressed: true,
    },
  });
  const headerBytes = writer.offset - start;
  writer.appendBytes(levels.getBytes());
  writer.appendBytes(compressed);
  return headerBytes + levels.offset + bytes.length;
}

/** Returns the bytes of the page before compression, its header included. */
function writeDictionary(writer: ByteWriter, values: readonly Value[], type: Physical): number {
  const bytes = plainBytes(values, type);
  const compressed = snappyCompress(bytes);
  const start = writer.offset;
  writePageHeader(writer, {
    type: 'DICTIONARY_PAGE',
    uncompressed_page_size: bytes.length,
    compressed_page_size: compressed.length,
    dictionary_page_header: { num_values: values.length, encoding: 'PLAIN' },
  });
  const headerBytes = writer.offset - start;
  writer.appendBytes(compressed);
  return headerBytes + bytes.length;
}

/** Indexes of a dictionary after the number of their bits, or bits of booleans after the number of their bytes. */
function packedBytes(values: readonly number[], encoding: 'RLE_DICTIONARY' | 'RLE'): Uint8Array {
  const packed = new ByteWriter();
  if (encoding === 'RLE') {
    const bits = new ByteWriter();
    writeRleBitPackedHybrid(bits, values as number[], 1);
    packed.appendUint32(bits.offset);
    packed.appendBytes(bits.getBytes());
    return packed.getBytes();
  }
  const highest = values.reduce((most, value) => Math.max(most, value), 0);
  const width = Math.ceil(Math.log2(highest + 1));
  packed.appendUint8(width);
  writeRleBitPackedHybrid(packed, values as number[], width);
  return packed.getBytes();
}

function plainBytes(values: readonly Value[], type: Physical): Uint8Array {
  if (type === 'INT64') return wholeNumberBytes(values as readonly number[]);
  if (type === 'BYTE_ARRAY') return textBytes(values as readonly string[]);
  const bytes = new ByteWriter();
  writePlain(bytes, values as Value[], type, undefined);
  return bytes.getBytes();
}

const HIGH = 2 ** 32;

function wholeNumberBytes(values: readonly number[]): Uint8Array {
  const bytes = Buffer.allocUnsafe(8 * values.length);
  let at = 0;
  for (const value of values) {
    if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is no whole number`);
    // By halves, since a BigInt of each would be an object of its own.
    bytes.writeInt32LE(value | 0, at);
    bytes.writeInt32LE(Math.floor(value / HIGH), at + 4);
    at += 8;
  }
  return bytes;
}

function textBytes(texts: readonly string[]): Uint8Array {
  const bytes = Buffer.allocUnsafe(texts.reduce((sum, text) => sum + 4 + Buffer.byteLength(text), 0));
  let at = 0;
  for (const text of texts) {
    const length = bytes.write(text, at + 4);
    bytes.writeUInt32LE(length, at);
    at += 4 + length;
  }
  return bytes;
}

/** The smallest and the largest value, by which readers skip row groups. */
function statisticsOf(cells: readonly Cell[], type: Physical): Statistics {
  let min: Value | undefined;
  let max: Value | undefined;
  let nulls = 0;
  for (const cell of cells) {
    if (cell === null) {
      nulls += 1;
      continue;
    }
    if (min === undefined || cell < min) min = cell;
    if (max === undefined || cell > max) max = cell;
  }
  const counts = { null_count: BigInt(nulls), ...(type === 'DOUBLE' && { nan_count: 0n }) };
  if (min === undefined || max === undefined) return counts;
  if (type === 'INT64') return { ...counts, min_value: BigInt(min), max_value: BigInt(max) };
  // Either zero may be in a column of doubles, since they compare as equal.
  return { ...counts, min_value: min === 0 ? -0 : min, max_value: max === 0 ? 0 : max };
}
