import { expect } from 'chai';
import { BookSide } from '../src/projection/book-side.ts';

describe('a side of a book', () => {
  it('knows its best level while levels come and go', () => {
    for (const [side, order] of [
      ['bid', [5000, 6000, 5500]],
      ['ask', [5000, 4000, 4500]],
    ] as const) {
      const [first, best, middle] = order;
      const book = new BookSide(side);
      expect(book.best).to.equal(null);
      for (const price of order) book.change(price, 10, 1);
      expect(book.best).to.equal(best);
      book.change(best, -10, -1);
      expect(book.best).to.equal(middle);
      book.change(middle, -4, 0);
      expect(book.level(middle)).to.deep.equal({ quantity: 6, orders: 1 });
      book.change(middle, -6, -1);
      expect(book.best).to.equal(first);
    }
  });

  for (const [name, quantity, orders] of [
    ['more shares than there are', -11, -1],
    ['more orders than there are', -10, -2],
    ['all shares and leaves an order', -10, 0],
    ['all orders and leaves shares', -9, -1],
  ] as const) {
    it(`refuses a change that takes ${name}`, () => {
      const book = new BookSide('bid');
      book.change(5000, 10, 1);
      expect(() => book.change(5000, quantity, orders)).to.throw(RangeError, 'the bid level at 5000');
    });
  }
});
