import { expect } from 'chai';
import { readAmendment } from '../../web/data/orders/amendment.ts';

const ORDER = { price: 0.4, quantity: 10, filledQty: 4 };

describe('the amendment of an order', () => {
  it('has what the person changed and nothing else', () => {
    expect(readAmendment(ORDER, { price: '0.4', quantity: '8' })).to.deep.equal({
      change: { quantity: 8 },
      faults: null,
    });
    expect(readAmendment(ORDER, { price: ' 41¢', quantity: '10' })).to.deep.equal({
      change: { price: 0.41 },
      faults: null,
    });
  });

  it('given the same values, then there is no change and no fault', () => {
    expect(readAmendment(ORDER, { price: '0.40', quantity: '10' })).to.deep.equal({ change: null, faults: null });
  });

  const faults = [
    [{ price: '', quantity: '10' }, { price: 'Type a price, such as 0.33.' }],
    [{ price: '40', quantity: '10' }, { price: 'A price is in dollars a share, at most 0.99. Did you mean 0.40?' }],
    [{ price: '0.4', quantity: '4' }, { quantity: 'The total is more than the 4 shares that are filled.' }],
    [{ price: '0.4', quantity: '10.5' }, { quantity: 'Shares are whole: type 10 or 11.' }],
    [
      { price: '0', quantity: '501' },
      { price: 'A price is at least 0.01.', quantity: 'This market takes at most 500 shares an order.' },
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
      quantity: 'This market takes at most 500 shares an order.',
    });
  });
});
