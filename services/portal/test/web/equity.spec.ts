import { expect } from 'chai';
import { pointsOf, sumEquity } from '../../web/pages/portfolio/equity.ts';

describe('the equity of accounts', () => {
  it('is read from the points of the API', () => {
    const equity = [{ at: '1970-01-01T00:00:01.000Z', value: 10_000 }];
    expect(pointsOf({ equity })).to.deep.equal([{ at: 1_000, value: 10_000 }]);
  });

  it('given one account, then the sum is its points', () => {
    const points = [
      { at: 1, value: 10_000 },
      { at: 5, value: 9_998 },
      { at: 9, value: 10_003 },
    ];
    expect(sumEquity([points])).to.deep.equal(points);
    expect(sumEquity([])).to.deep.equal([]);
  });

  it('given several, then each keeps its value until its next point, and counts before its opening', () => {
    const main = [
      { at: 1, value: 10_000 },
      { at: 6, value: 10_010 },
    ];
    const second = [
      { at: 4, value: 10_000 },
      { at: 6, value: 9_995 },
      { at: 8, value: 10_020 },
    ];
    expect(sumEquity([main, second])).to.deep.equal([
      { at: 1, value: 20_000 },
      { at: 4, value: 20_000 },
      { at: 6, value: 20_005 },
      { at: 8, value: 20_030 },
    ]);
  });
});
