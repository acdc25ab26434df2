import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { orNull, text, time, whole, yesNo } from '../src/columns.ts';
import type { Row } from '../src/columns.ts';
import { FORMATS } from '../src/index.ts';
import { TableFile } from '../src/table-file.ts';
import { Duck } from './duck.ts';

const COLUMNS = {
  n: whole('count', 'A number.'),
  big_units: orNull(whole('units', 'A large amount.')),
  name: orNull(text('A text.')),
  is_even: yesNo('Whether n is even.'),
  happened_at: orNull(time('A time.')),
};

/** The largest whole number that JavaScript holds exactly. */
const LARGEST = Number.MAX_SAFE_INTEGER;

const HARD_TEXTS = ['plain', 'with "quotes", commas', 'two\nlines', 'a ü 🙂', ' spaces ', '{"a":1}'];

const rowOf = (n: number): Row => ({
  n,
  big_units: n % 3 === 0 ? null : LARGEST - n,
  name: n % 5 === 0 ? null : (HARD_TEXTS[n % HARD_TEXTS.length] ?? null),
  is_even: n % 2 === 0,
  happened_at: n % 7 === 0 ? null : 1_700_000_000_123 + n,
});

describe('the file of a table', function () {
  this.timeout(60_000);
  let folder: string;
  let duck: Duck;
  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'paper-table-file-'));
    duck = await Duck.open();
  });
  after(() => {
    duck.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const written = async (name: string, format: (typeof FORMATS)[number], rows: number) => {
    const table = await TableFile.create(folder, name, format, COLUMNS);
    for (let n = 1; n <= rows; n += 1) {
      table.add(rowOf(n));
      if (table.isFull) await table.write();
    }
    return table.finish({});
  };

  for (const format of FORMATS) {
    it(`holds every value exactly as ${format}: large numbers, any text, nulls`, async () => {
      const { rows } = await written('exact', format, 200);
      const read = await duck.rows(
        `select n::varchar n, big_units::varchar big_units, name, is_even, epoch_ms(happened_at)::varchar happened_at
         from ${duck.table(folder, 'exact', format)} order by n::int`,
      );
      const expected = Array.from({ length: rows }, (_, index) => rowOf(index + 1)).map((row) => ({
        ...row,
        n: String(row['n']),
        big_units: row['big_units'] === null ? null : String(row['big_units']),
        happened_at: row['happened_at'] === null ? null : String(row['happened_at']),
      }));
      expect(read).to.deep.equal(expected);
    });

    it(`is a table without rows as ${format}`, async () => {
      expect(await written('none', format, 0)).to.include({ rows: 0 });
      if (format === 'ndjson') return;
      const [count] = await duck.rows(`select count(*)::int as n from ${duck.table(folder, 'none', format)}`);
      expect(count).to.deep.equal({ n: 0 });
    });
  }

  it('is written in parts, so that its rows are never in memory together', async () => {
    await written('long', 'parquet', 120_000);
    const groups = await duck.rows(
      `select distinct row_group_id::int as id, row_group_num_rows::int as n
       from parquet_metadata('${path.join(folder, 'long.parquet')}') order by id`,
    );
    expect(groups).to.deep.equal([
      { id: 0, n: 50_000 },
      { id: 1, n: 50_000 },
      { id: 2, n: 20_000 },
    ]);
    const [sums] = await duck.rows(
      `select count(*)::int n, sum(n)::varchar total, count(name)::int named from ${duck.table(folder, 'long', 'parquet')}`,
    );
    expect(sums).to.deep.equal({ n: 120_000, total: String((120_000 * 120_001) / 2), named: 96_000 });
  });
});
