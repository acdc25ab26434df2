import { expect } from 'chai';
import { ladderOf, inYesTerms } from '../../web/pages/market/ladder-rows.ts';
import type { LadderOrder } from '../../web/pages/market/ladder-rows.ts';

const BOOK = {
  bids: [
    { price: 0.42, quantity: 10 },
    { price: 0.4, quantity: 30 },
  ],
  asks: [
    { price: 0.45, quantity: 5 },
    { price: 0.46, quantity: 15 },
  ],
};

const order = (change: Partial<LadderOrder>): LadderOrder => ({
  id: 'o1',
  outcome: 'yes',
  side: 'buy',
  price: 0.42,
  quantity: 4,
  filledQty: 1,
  status: 'partial',
  ...change,
});

describe('the rows of a ladder', () => {
  it('given a book, when it is shown for YES, then totals and depths grow away from the best price', () => {
    const { asks, bids, spreadUnits } = ladderOf(BOOK, 'yes', [], 10);
    expect(bids.map(({ priceUnits, total, depth }) => [priceUnits, total, depth])).to.deep.equal([
      [4200, 10, 0.25],
      [4000, 40, 1],
    ]);
    expect(asks.map(({ priceUnits, total, depth }) => [priceUnits, total, depth])).to.deep.equal([
      [4500, 5, 0.125],
      [4600, 20, 0.5],
    ]);
    expect(spreadUnits).to.equal(300);
  });

  it('given a book, when it is shown for NO, then a bid for YES at p is an ask of NO at 1 − p', () => {
    const { asks, bids } = ladderOf(BOOK, 'no', [], 10);
    expect(asks.map(({ priceUnits, quantity }) => [priceUnits, quantity])).to.deep.equal([
      [5800, 10],
      [6000, 30],
    ]);
    expect(bids.map(({ priceUnits, quantity }) => [priceUnits, quantity])).to.deep.equal([
      [5500, 5],
      [5400, 15],
    ]);
  });

  it('given an empty side, then there is no spread', () => {
    expect(ladderOf({ bids: [], asks: BOOK.asks }, 'yes', [], 10).spreadUnits).to.equal(null);
  });

  it('given more levels than rows, then only the best are shown', () => {
    expect(ladderOf(BOOK, 'yes', [], 1).bids.map(({ depth, priceUnits }) => [priceUnits, depth])).to.deep.equal([
      [4200, 1],
    ]);
  });

  const places: readonly (readonly [Partial<LadderOrder>, 'bids' | 'asks', number])[] = [
    [{ outcome: 'yes', side: 'buy', price: 0.42 }, 'bids', 4200],
    [{ outcome: 'no', side: 'sell', price: 0.58 }, 'bids', 4200],
    [{ outcome: 'yes', side: 'sell', price: 0.45 }, 'asks', 4500],
    [{ outcome: 'no', side: 'buy', price: 0.55 }, 'asks', 4500],
  ];
  for (const [change, side, priceUnits] of places) {
    it(`given an own order to ${change.side} ${change.outcome} at ${change.price}, then its rest is marked among the ${side}`, () => {
      const ladder = ladderOf(BOOK, 'yes', [order(change)], 10);
      const marked = (['bids', 'asks'] as const).flatMap((each) =>
        ladder[each].filter(({ own }) => own > 0).map((row) => [each, row.priceUnits, row.own]),
      );
      expect(marked).to.deep.equal([[side, priceUnits, 3]]);
    });
  }

  it('given two own orders at one price, then their shares are added; an ended one does not count', () => {
    const orders = [
      order({}),
      order({ id: 'o2', quantity: 2, filledQty: 0, status: 'open' }),
      order({ status: 'cancelled' }),
    ];
    expect(ladderOf(BOOK, 'yes', orders, 10).bids[0]?.own).to.equal(5);
  });

  it('given an own order that the book does not have yet, then no row is marked with more than it has', () => {
    expect(ladderOf(BOOK, 'yes', [order({ quantity: 500, filledQty: 0 })], 10).bids[0]?.own).to.equal(10);
  });

  it('places a NO order in YES terms without a rounding error', () => {
    expect(inYesTerms({ outcome: 'no', side: 'buy', price: 0.07 })).to.deep.equal({ side: 'ask', priceUnits: 9300 });
  });
});
