import { expect } from 'chai';
import fc from 'fast-check';
import { csv } from '../src/csv.ts';

const COLUMNS = ['a', 'b'] as const;

/** RFC 4180, read strictly. */
function parsed(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

describe('CSV', () => {
  it('has a header line, and quotes what needs it', () => {
    const rows = [
      { a: 'plain', b: -1.5 },
      { a: 'x,"y"\r\nz', b: null },
    ];
    expect(csv(COLUMNS, rows)).to.equal('a,b\r\nplain,-1.5\r\n"x,""y""\r\nz",\r\n');
    expect(csv(COLUMNS, [])).to.equal('a,b\r\n');
  });

  it('shows what a spreadsheet would run, and leaves numbers as they are', () => {
    for (const start of ['=', '+', '-', '@', '\t']) {
      expect(csv(['a'], [{ a: `${start}1+1` }])).to.equal(`a\r\n'${start}1+1\r\n`);
    }
    expect(csv(['a'], [{ a: '\r1' }])).to.equal(`a\r\n"'\r1"\r\n`);
    expect(csv(['a'], [{ a: -1 }])).to.equal('a\r\n-1\r\n');
  });

  it('is read again as it was written, whatever is in it', () => {
    const value = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', '=', 'x') }),
    );
    fc.assert(
      fc.property(fc.array(fc.record({ a: value, b: value })), (rows) => {
        const read = parsed(csv(COLUMNS, rows)).slice(1);
        expect(read.map((row) => row.map((text) => text.replace(/^'(?=[=+\-@\t\r])/, '')))).to.deep.equal(
          rows.map(({ a, b }) => [a, b].map((text) => text.replace(/^'(?=[=+\-@\t\r])/, ''))),
        );
      }),
    );
  });
});
