import { expect } from 'chai';
import fc from 'fast-check';
import { csv } from '../src/csv.ts';

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
      ['plain', -1.5],
      ['x,"y"\r\nz', null],
      [true, ''],
    ];
    expect(csv(['a', 'b'], rows)).to.equal('a,b\r\nplain,-1.5\r\n"x,""y""\r\nz",\r\ntrue,\r\n');
    expect(csv(['a', 'b'], [])).to.equal('a,b\r\n');
  });

  it('shows what a spreadsheet would run, and leaves numbers as they are', () => {
    for (const start of ['=', '+', '-', '@', '\t']) {
      expect(csv(['a'], [[`${start}1+1`]])).to.equal(`a\r\n'${start}1+1\r\n`);
    }
    expect(csv(['a'], [['\r1']])).to.equal(`a\r\n"'\r1"\r\n`);
    expect(csv(['a'], [[-1]])).to.equal('a\r\n-1\r\n');
  });

  it('is read again as it was written, whatever is in it', () => {
    const cell = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', '=', "'", 'x') }),
    );
    const guarded = (one: string): string => (/^[=+\-@\t\r]/.test(one) ? `'${one}` : one);
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell)), (rows) => {
        const [header, ...read] = parsed(csv(['a', 'b'], rows));
        expect(header).to.deep.equal(['a', 'b']);
        expect(read).to.deep.equal(rows.map((row) => row.map(guarded)));
      }),
    );
  });
});
