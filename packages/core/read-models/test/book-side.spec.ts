import { expect } from 'chai';
import { BookSide } from '../src/models/markets/book-side.ts';

describe('a side of a book', () => {
  it('finds its best level while levels come and go', () => {
    for (const [side, order] of [
      ['bid', [5000, 6000, 5500]],
      ['ask', [5000, 4000, 4500]],
    ] as const) {
      const [first, best, middle] = order;
      const book = new BookSide(side);
      expect(book.bestUnits).to.equal(null);
      for (const price of order) book.change(price, 10, 1);
      expect(book.bestUnits).to.equal(best);
      book.change(best, -10, -1);
      expect(book.bestUnits).to.equal(middle);
      book.change(middle, -4, 0);
      expect(book.level(middle)).to.include({ priceUnits: middle, quantity: 6, orders: 1 });
      book.change(middle, -6, -1);
      expect(book.bestUnits).to.equal(first);
    }
  });

  it('gives each level that has changed once, also one that is empty now', () => {
    const book = new BookSide('ask');
    book.load({ priceUnits: 3000, quantity: 5, orders: 1 });
    expect(book.takeChanged()).to.deep.equal([]);
    book.change(4000, 10, 1);
    book.change(4000, 10, 1);
    book.change(3000, -5, -1);
    const amounts = (): unknown =>
      book.takeChanged().map(({ priceUnits, quantity, orders }) => [priceUnits, quantity, orders]);
    expect(amounts()).to.deep.equal([
      [4000, 20, 2],
      [3000, 0, 0],
    ]);
    expect(book.levels()).to.deep.equal([[4000, 20, 2]]);
    expect(book.takeChanged()).to.deep.equal([]);
    book.change(3000, 1, 1);
    expect(amounts()).to.deep.equal([[3000, 1, 1]]);
    expect(book.bestUnits).to.equal(3000);
  });

  it('gives the level that has changed last, once, also one that is empty now', () => {
    const book = new BookSide('bid');
    book.load({ priceUnits: 3000, quantity: 5, orders: 1 });
    expect(book.takeLast()).to.equal(null);
    book.change(4000, 10, 1);
    book.change(3000, -5, -1);
    expect(book.takeLast()).to.include({ priceUnits: 3000, quantity: 0, orders: 0 });
    expect(book.takeLast()).to.equal(null);
  });

  it('gives the level that an order left for another one, and none where it stays on its level', () => {
    const book = new BookSide('ask');
    book.load({ priceUnits: 6000, quantity: 5, orders: 1 });
    book.change(6000, -5, -1);
    book.change(6000, 7, 1);
    expect([book.takeLeft(), book.takeLast()?.quantity]).to.deep.equal([null, 7]);
    book.change(6000, -7, -1);
    book.change(5000, 7, 1);
    expect(book.takeLeft()).to.include({ priceUnits: 6000, quantity: 0, orders: 0 });
    expect(book.takeLast()).to.include({ priceUnits: 5000, quantity: 7, orders: 1 });
    expect([book.takeLeft(), book.takeLast()]).to.deep.equal([null, null]);
  });

  for (const [name, quantity, orders] of [
    ['more shares than there are', -11, -1],
    ['more orders than there are', -10, -2],
    ['all shares and leaves an order', -10, 0],
    ['all orders and leaves shares', -9, -1],
    ['more shares and more orders than there are', -11, -2],
    ['more shares than there are, and adds an order', -11, 1],
    ['more orders than there are, and adds shares', 1, -2],
  ] as const) {
    it(`refuses a change that takes ${name}`, () => {
      const book = new BookSide('bid');
      book.change(5000, 10, 1);
      expect(() => book.change(5000, quantity, orders)).to.throw(RangeError, 'the bid level at 5000');
    });
  }
});
