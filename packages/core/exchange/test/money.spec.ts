import { expect } from 'chai';
import fc from 'fast-check';
import { costRemoved } from '../src/money.ts';

describe('the cost that a sale takes off', () => {
  it('is ⌊cost × quantity / shares⌋ exactly, also where the product leaves 2^53', () => {
    fc.assert(
      fc.property(
        fc.maxSafeNat(),
        fc.maxSafeNat().map((shares) => shares + 1),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (cost, shares, part) => {
          const quantity = Math.min(shares, Math.floor(shares * part));
          const exact = (BigInt(cost) * BigInt(quantity)) / BigInt(shares);
          expect(BigInt(costRemoved(cost, shares, quantity))).to.equal(exact);
        },
      ),
      { seed: 1, numRuns: 2_000 },
    );
  });

  it('leaves no cost behind with the last share', () => {
    expect(costRemoved(7, 3, 3)).to.equal(7);
    expect(costRemoved(7, 3, 1)).to.equal(2);
  });
});
