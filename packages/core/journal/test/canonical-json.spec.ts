import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import fc from 'fast-check';
import { canonicalJson } from '../src/index.ts';

const seed = { seed: 8785, numRuns: 100 };

describe('canonicalJson', () => {
  it('gives the texts of RFC 8785', () => {
    // Section 3.2.2's example, and section 3.2.3's: keys by UTF-16 code units, so the emoji before U+FB33.
    expect(
      canonicalJson({
        numbers: [333333333.33333329, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
        string: '\u20ac$\u000f\nA\'B"\\\\"/',
        literals: [null, true, false],
      }),
    ).to.equal(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
    const keys = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\u{1f600}': 5, '\u0080': 6, '\u00f6': 7 };
    expect(canonicalJson(keys)).to.equal('{"\\r":2,"1":4,"\u0080":6,"\u00f6":7,"\u20ac":1,"\u{1f600}":5,"\ufb33":3}');
    expect(canonicalJson(-0)).to.equal('0');
  });

  it('says the same as JSON.parse reads, whatever the order of the keys', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue(), { noNullPrototype: true }), (value) => {
        const text = canonicalJson(value);
        expect(isDeepStrictEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)))).to.equal(true);
        expect(canonicalJson(Object.fromEntries(Object.entries(value).reverse()))).to.equal(text);
      }),
      seed,
    );
  });

  it('leaves out what is undefined, as JSON.stringify does', () => {
    expect(canonicalJson({ b: undefined, a: 1 })).to.equal('{"a":1}');
  });

  it('refuses what JSON cannot say without loss', () => {
    for (const value of [NaN, Infinity, -Infinity, '\ud800', 'a\udc00b', { '\ud83d': 1 }, 1n, [undefined], () => 1]) {
      expect(() => canonicalJson(value), typeof value).to.throw(TypeError);
    }
  });
});
