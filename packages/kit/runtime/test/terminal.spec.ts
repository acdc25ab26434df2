import { expect } from 'chai';
import fc from 'fast-check';
import { escapeLines, escapeText } from '../src/index.ts';

describe('what command lines print', () => {
  it('steers no terminal: ESC, BEL, C1, bidirectional controls and ends of lines are printed as escapes', () => {
    expect(escapeText('\u001b[2Ja\u0007')).to.equal('\\u001b[2Ja\\u0007');
    expect(escapeText('\u009b31m')).to.equal('\\u009b31m');
    expect(escapeText('a\u202eb\u2066\u200f')).to.equal('a\\u202eb\\u2066\\u200f');
    expect(escapeText('good\nVERDICT: everything holds\r')).to.equal('good\\u000aVERDICT: everything holds\\u000d');
    expect(escapeText('\u2028\u{e0041}\ud800\u200b\ufeff')).to.equal('\\u2028\\udb40\\udc41\\ud800\\u200b\\ufeff');
  });

  it('keeps what can be seen', () => {
    const seen = 'Zoë 東京 🚀 عربى नमस्ते ☀\ufe0f │ \\u001b';
    expect(escapeText(seen)).to.equal(seen);
    expect(escapeLines(`${seen}\n  ${seen}`)).to.equal(`${seen}\n  ${seen}`);
  });

  it('has no other character of those kinds, and JSON stays the same JSON', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(escapeText(text)).not.to.match(/[\p{C}\p{Zl}\p{Zp}]/u);
        expect(escapeLines(text)).not.to.match(/[^\P{C}\n]/u);
        expect(JSON.parse(escapeLines(JSON.stringify([text], null, 2)))).to.deep.equal([text]);
      }),
    );
  });
});
