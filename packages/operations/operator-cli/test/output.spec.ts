import { expect } from 'chai';
import { format, FORMATS } from '../src/audit/output.ts';
import type { Shown } from '../src/audit/output.ts';

const HOSTILE = '\u001b[2J\u0007\u202eevil\u2066\n\u009b31m\u200b"';

const shown: Shown = {
  facts: { marketId: HOSTILE, lastEvent: 7 },
  name: 'events',
  columns: ['seq', 'what'],
  rows: [[7, HOSTILE]],
};

describe('a state of a journal that a stranger wrote', () => {
  for (const name of FORMATS) {
    it(`steers no terminal as ${name}`, () => {
      const printed = format(shown, name);
      expect(printed.replaceAll(/\r\n|\n/g, '')).not.to.match(/[\p{C}\p{Zl}\p{Zp}]/u);
      expect(printed).to.contain('\\u001b[2J').and.to.contain('\\u202eevil');
    });
  }

  it('has the lines of its rows alone', () => {
    expect(format(shown, 'csv')).to.equal(
      'seq,what\r\n7,"\\u001b[2J\\u0007\\u202eevil\\u2066\\u000a\\u009b31m\\u200b"""\r\n',
    );
    const lines = (text: Shown): number => format(text, 'table').split('\n').length;
    expect(lines(shown)).to.equal(lines({ ...shown, rows: [[7, 'evil']] }));
  });

  it('is the same JSON', () => {
    expect(JSON.parse(format(shown, 'json'))).to.deep.equal({ ...shown.facts, events: [{ seq: 7, what: HOSTILE }] });
  });
});
