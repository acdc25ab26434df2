import { expect } from 'chai';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { SchemaElement } from 'hyparquet-writer';
import { number, orNull, text, time, whole, yesNo } from '../src/columns.ts';
import type { Columns, Row } from '../src/columns.ts';
import { ParquetEncoder } from '../src/parquet.ts';

const COLUMNS = {
  id: text(''),
  word: orNull(text('')),
  nothing: orNull(text('')),
  seq: whole('sequence', ''),
  units: orNull(whole('units', '')),
  at: time(''),
  ended: orNull(time('')),
  weight: number(''),
  guess: orNull(number('')),
  flag: yesNo(''),
} satisfies Columns;

const TEXT = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } } as const;
const TIME = {
  type: 'INT64',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
} as const;
const SCHEMA: SchemaElement[] = [
  { name: 'root', num_children: Object.keys(COLUMNS).length },
  { name: 'id', repetition_type: 'REQUIRED', ...TEXT },
  { name: 'word', repetition_type: 'OPTIONAL', ...TEXT },
  { name: 'nothing', repetition_type: 'OPTIONAL', ...TEXT },
  { name: 'seq', repetition_type: 'REQUIRED', type: 'INT64' },
  { name: 'units', repetition_type: 'OPTIONAL', type: 'INT64' },
  { name: 'at', repetition_type: 'REQUIRED', ...TIME },
  { name: 'ended', repetition_type: 'OPTIONAL', ...TIME },
  { name: 'weight', repetition_type: 'REQUIRED', type: 'DOUBLE' },
  { name: 'guess', repetition_type: 'OPTIONAL', type: 'DOUBLE' },
  { name: 'flag', repetition_type: 'REQUIRED', type: 'BOOLEAN' },
];

const WORDS = ['buy', 'sell', 'Über 100 €', '🎲 größer', '', null];

/** Ids that fill two pages, texts and numbers that repeat, nulls, both signs and both zeros. */
const rowOf = (n: number): Row => ({
  id: `${'é'.repeat(9)}-${(n * 2_654_435_761) % 2 ** 32}`,
  word: WORDS[(n * n) % WORDS.length] ?? null,
  nothing: null,
  seq: n + 1,
  units: n % 3 === 0 ? null : (n % 2 === 0 ? -1 : 1) * n * 1_234_567_890,
  at: 1_790_000_000_000 + 60_000 * Math.floor(n / 100),
  ended: n % 5 === 0 ? null : 1_790_000_000_000 + n,
  weight: n % 7 === 0 ? -0 : n / 7,
  guess: n % 4 === 0 ? null : n % 2,
  flag: n % 3 === 0,
});

/** What hyparquet's own `write` makes of the rows, a row group each. */
function written(groups: readonly (readonly Row[])[]): Buffer {
  const writer = new ByteWriter();
  const parquet = new ParquetWriter({ writer, schema: SCHEMA, createdBy: 'paper-trading-service' });
  for (const rows of groups) {
    const columnData = Object.entries(COLUMNS).map(([name, { type }]) => {
      const cells = rows.map((row) => row[name] ?? null);
      const isWhole = type === 'int64' || type === 'timestamp';
      const data = isWhole ? cells.map((cell) => (cell === null ? null : BigInt(cell))) : cells;
      return { name, data, statistics: type !== 'string' };
    });
    void parquet.write({ columnData, rowGroupSize: rows.length });
  }
  parquet.kvMetadata = [{ key: 'paper_trading.units', value: JSON.stringify({ seq: 'sequence', units: 'units' }) }];
  void parquet.finish();
  return Buffer.from(writer.getBytes());
}

function encoded(groups: readonly (readonly Row[])[]): Buffer {
  const encoder = new ParquetEncoder(COLUMNS);
  const parts = [encoder.start()];
  for (const rows of groups) {
    for (const row of rows) encoder.add(row);
    parts.push(encoder.take());
  }
  return Buffer.concat([...parts, encoder.end({})]);
}

const rows = (count: number, from = 0): readonly Row[] => Array.from({ length: count }, (_, n) => rowOf(from + n));

describe('the Parquet encoder', () => {
  for (const counts of [[1], [16], [17], [2_500], [60_000, 3]]) {
    it(`writes row groups of ${counts.join(' and ')} as hyparquet does, to the byte`, () => {
      const groups = counts.map((count, n) => rows(count, 70_000 * n));
      expect(encoded(groups).equals(written(groups))).to.equal(true);
    });
  }

  it('refuses a row without a required value, and a number that is not whole', () => {
    expect(() => encoded([[{ ...rowOf(1), id: null }]])).to.throw('a row has no id');
    expect(() => encoded([[{ ...rowOf(1), seq: 1.5 }]])).to.throw('1.5 is no whole number');
  });
});
