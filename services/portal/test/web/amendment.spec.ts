import { expect } from 'chai';
import { readAmendment } from '../../web/data/orders/amendment.ts';

const ORDER = { price: 0.4, quantity: 10, filledQty: 4 };

describe('the amendment of an order', () => {
  it('has what the person changed and nothing else', () => {
    expect(readAmendment(ORDER, { price: '0.4', quantity: '8' })).to.deep.equal({
      change: { quantity: 8 },
      faults: null,
    });
    expect(readAmendment(ORDER, { price: ' .41', quantity: '10' })).to.deep.equal({
      change: { price: 0.41 },
      faults: null,
    });
  });

  it('given the same values, then there is no change and no fault', () => {
    expect(readAmendment(ORDER, { price: '0.40', quantity: '10' })).to.deep.equal({ change: null, faults: null });
  });

  const faults = [
    [{ price: '', quantity: '10' }, { price: 'must be a number' }],
    [{ price: '1', quantity: '10' }, { price: 'must be at most 0.99' }],
    [{ price: '0.4', quantity: '4' }, { quantity: 'must be greater than the 4 shares that are filled' }],
    [{ price: '0.4', quantity: '10.5' }, { quantity: 'must be a whole number' }],
    [
      { price: '0', quantity: '501' },
      { price: 'must be at least 0.01', quantity: 'must be at most 500' },
    ],
  ] as const;
  for (const [typed, expected] of faults) {
    it(`refuses ${JSON.stringify(typed)}`, () => {
      expect(readAmendment(ORDER, typed)).to.deep.equal({ change: null, faults: expected });
    });
  }

  it('given an order of 800 by its notional, then only its price can change', () => {
    const order = { ...ORDER, quantity: 800 };
    expect(readAmendment(order, { price: '0.41', quantity: '800' }).change).to.deep.equal({ price: 0.41 });
    expect(readAmendment(order, { price: '0.41', quantity: '700' }).faults).to.deep.equal({
      quantity: 'must be at most 500',
    });
  });
});
