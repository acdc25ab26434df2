import { Mandate } from '@paper/contracts/accounts';
import { expect } from 'chai';
import { fieldsOf, mandateSummary, NO_LIMITS, readMandate } from '../../web/data/fleet/mandate-form.ts';

const EVERY_LIMIT = {
  maxOrderCost: 5,
  maxReserved: 0.5,
  maxShares: 1200,
  spendPerDay: 50.0001,
  marketIds: ['one', 'two'],
  reduceOnly: true,
};

describe('the mandate editor', () => {
  it('reads back every limit that it shows', () => {
    const read = readMandate(fieldsOf(EVERY_LIMIT));
    expect(read).to.deep.equal({ mandate: EVERY_LIMIT });
    expect(() => Mandate.parse('mandate' in read ? read.mandate : null)).not.to.throw();
  });

  it('given no limits, makes a mandate without any', () => {
    expect(fieldsOf(null)).to.deep.equal(NO_LIMITS);
    expect(readMandate(NO_LIMITS)).to.deep.equal({ mandate: {} });
  });

  it('takes ids of markets on lines or with commas, and an empty list as no market', () => {
    const only = { ...NO_LIMITS, onlyMarkets: true };
    expect(readMandate({ ...only, marketIds: ' one, two\nthree ' })).to.deep.equal({
      mandate: { marketIds: ['one', 'two', 'three'] },
    });
    expect(readMandate(only)).to.deep.equal({ mandate: { marketIds: [] } });
  });

  for (const typed of ['-1', 'five', '1e3', '0.00001', '1,000']) {
    it(`given ${typed} dollars, says what would be right beside the field`, () => {
      expect(readMandate({ ...NO_LIMITS, maxOrderCost: typed })).to.deep.equal({
        errors: { maxOrderCost: 'Write dollars with at most four decimals, such as 25 or 0.5.' },
      });
    });
  }

  it('given half a share, asks for a whole number', () => {
    expect(readMandate({ ...NO_LIMITS, maxShares: '0.5' })).to.deep.equal({
      errors: { maxShares: 'Write a whole number.' },
    });
  });

  it('describes a mandate in phrases', () => {
    expect(mandateSummary(EVERY_LIMIT)).to.deep.equal([
      '$5.00 an order',
      '$0.50 reserved',
      '1,200 shares of an outcome',
      '$50.0001 a day',
      '2 markets only',
      'sells only',
    ]);
    expect(mandateSummary({ marketIds: [] })).to.deep.equal(['no market']);
    expect(mandateSummary({})).to.deep.equal(['no limits set']);
  });
});
