import { expect } from 'chai';
import { bool, CopyRows, FEW_ROWS, float8, int8, nullable, RowColumns, text, texts } from '../src/index.ts';

const COLUMNS = { id: text(), units: int8, share: float8, open: bool, note: nullable(text()) };

const row = (id: string) => ({ id, units: 5_000, share: 0.1, open: true, note: null });

function copied(...rows: readonly object[]): CopyRows<object> {
  const made = new CopyRows(COLUMNS);
  for (const each of rows) made.add(each);
  return made;
}

describe('a few rows as parameters', () => {
  it('gives each value of each row as text, in the order of the columns', () => {
    const { columns, values } = copied(row('a'), { id: 'b', units: -1, share: 2, open: false }).parameters ?? {};
    expect(columns).to.deep.equal([
      { name: 'id', type: 'text' },
      { name: 'units', type: 'int8' },
      { name: 'share', type: 'float8' },
      { name: 'open', type: 'bool' },
      { name: 'note', type: 'text' },
    ]);
    expect(values).to.deep.equal(['a', '5000', '0.1', 'true', null, 'b', '-1', '2', 'false', null]);
  });

  it('gives only the columns that the first row has, where arrays would have no others', () => {
    const rows = [
      { note: null, id: 'a' },
      { note: 'n', id: 'b', units: 1 },
    ];
    expect(RowColumns.of(COLUMNS, rows).parameters).to.deep.equal({
      columns: [
        { name: 'id', type: 'text' },
        { name: 'note', type: 'text' },
      ],
      values: ['a', null, 'b', 'n'],
    });
  });

  it('refuses a value that is not of its column', () => {
    for (const wrong of [{ id: 1 }, { units: 0.5 }, { units: 2 ** 53 }, { units: '1' }, { open: 'true' }]) {
      expect(() => copied({ ...row('a'), ...wrong }).parameters, JSON.stringify(wrong)).to.throw(TypeError);
    }
  });

  it('gives nothing where a column holds arrays', () => {
    const columns = { id: text(), drivers: texts() };
    expect(RowColumns.of(columns, [{ id: 'a', drivers: [] }]).parameters).to.equal(null);
  });

  it('gives nothing for more than a few rows', () => {
    const few = Array.from({ length: FEW_ROWS }, (_, index) => row(`row ${index}`));
    expect(copied(...few).parameters).to.not.equal(null);
    expect(copied(...few, row('one more')).parameters).to.equal(null);
    expect(RowColumns.of(COLUMNS, [...few, row('one more')]).parameters).to.equal(null);
  });
});
