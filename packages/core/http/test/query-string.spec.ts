import { expect } from 'chai';
import { givesParameter, parseQueryString } from '../src/query-string.ts';

/** The expected result, from parsing the whole query; null where it cannot be parsed. */
function parsed(url: string): boolean | null {
  try {
    return 'asOf' in parseQueryString(url);
  } catch {
    return null;
  }
}

describe('whether a query gives a parameter', () => {
  const given = givesParameter('asOf');

  it('is what reading all of it finds, wherever it can be read', () => {
    const tokens = ['?', '&', '=', 'a', 'sOf', '%61s', '%4f', '%4Ff', 'asOf', '+', '#', '%25', '%2561'];
    const found = { given: 0, not: 0 };
    let urls = [''];
    for (let length = 1; length <= 4; length += 1) {
      urls = urls.flatMap((url) => tokens.map((token) => url + token));
      for (const tail of urls) {
        const url = `/thing?${tail}`;
        const expected = parsed(url);
        if (expected === null) throw new Error(`${url} cannot be read`);
        if (given(url) !== expected) expect.fail(`${url}: ${expected}`);
        found[expected ? 'given' : 'not'] += 1;
      }
    }
    expect(Math.min(found.given, found.not)).to.be.greaterThan(500);
    expect([given('/asOf'), given('/a&asOf')]).to.deep.equal([false, false]);
  });

  it('is found where the query cannot be parsed, too', () => {
    const many = 'x&'.repeat(200);
    for (const query of ['asOf&%zz', '%zz&asOf=1', 'asOf=%ff', `${many}%61sOf`]) {
      expect([parsed(`/?${query}`), given(`/?${query}`)], query).to.deep.equal([null, true]);
    }
    for (const query of ['%zz', 'asOf%zz', '%ff=asOf', many]) {
      expect([parsed(`/?${query}`), given(`/?${query}`)], query).to.deep.equal([null, false]);
    }
  });
});
