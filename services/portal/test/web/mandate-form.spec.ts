import { Mandate } from '@paper/contracts/accounts';
import { expect } from 'chai';
import { fieldsOf, mandateSummary, readMandate } from '../../web/data/fleet/mandate-form.ts';

const EVERY_LIMIT = {
  maxOrderCost: 5,
  maxReserved: 0.5,
  maxShares: 1200,
  spendPerDay: 50.0001,
  marketIds: ['one', 'two'],
  reduceOnly: true,
};

const NO_LIMITS = {
  maxOrderCost: '',
  maxReserved: '',
  maxShares: '',
  spendPerDay: '',
  onlyMarkets: false,
  marketIds: '',
  reduceOnly: false,
};

describe('the mandate editor', () => {
  it('reads back every limit that it shows', () => {
    const read = readMandate(fieldsOf(EVERY_LIMIT));
    expect(read).to.deep.equal({ mandate: EVERY_LIMIT, errors: {} });
    expect(() => Mandate.parse(read.mandate)).not.to.throw();
  });

  it('given no limits, makes a mandate without any', () => {
    expect(fieldsOf({})).to.deep.equal(NO_LIMITS);
    expect(readMandate(NO_LIMITS)).to.deep.equal({ mandate: {}, errors: {} });
  });

  it('takes ids of markets on lines or with commas, and an empty list as no market', () => {
    const only = { ...NO_LIMITS, onlyMarkets: true };
    expect(readMandate({ ...only, marketIds: ' one, two\nthree ' })).to.deep.equal({
      mandate: { marketIds: ['one', 'two', 'three'] },
      errors: {},
    });
    expect(readMandate(only)).to.deep.equal({ mandate: { marketIds: [] }, errors: {} });
  });

  for (const typed of ['-1', 'five', '1e3', '0.00001', '1,000']) {
    it(`given ${typed} dollars, says what would be right beside the field`, () => {
      expect(readMandate({ ...NO_LIMITS, maxOrderCost: typed })).to.deep.equal({
        mandate: {},
        errors: { maxOrderCost: 'Write dollars with at most four decimals, such as 25 or 0.5.' },
      });
    });
  }

  it('given half a share, asks for a whole number', () => {
    expect(readMandate({ ...NO_LIMITS, maxShares: '0.5' })).to.deep.equal({
      mandate: {},
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
