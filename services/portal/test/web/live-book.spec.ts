import type { BookDeltaBody } from '@paper/contracts/markets';
import { expect } from 'chai';
import { LiveBook } from '../../web/live/live-book.ts';
import type { BookStreamEvent } from '../../web/live/live-book.ts';

const levels = (...pairs: readonly (readonly [number, number])[]) =>
  pairs.map(([price, quantity]) => ({ price, quantity }));

const snapshot = (seq: number): BookStreamEvent => ({
  type: 'snapshot',
  data: { marketId: 'm', seq, yes: { bids: levels([0.5, 10], [0.49, 3]), asks: levels([0.55, 7]) } },
});

const delta = (seq: number, side: BookDeltaBody['side'], price: number, quantity: number): BookStreamEvent => ({
  type: 'delta',
  data: { seq, ts: '2026-01-01T00:00:00.000Z', side, price, quantity },
});

describe('a live book', () => {
  it('is none before its first snapshot', () => {
    const book = new LiveBook();
    book.apply(delta(3, 'bid', 0.5, 1));
    expect(book.view).to.equal(null);
  });

  it('follows deltas: a new best bid, a changed level, and one that is gone', () => {
    const book = new LiveBook();
    book.apply(snapshot(5));
    book.apply(delta(6, 'bid', 0.52, 4));
    book.apply(delta(6, 'bid', 0.49, 1));
    book.apply(delta(7, 'ask', 0.55, 0));
    book.apply(delta(7, 'ask', 0.6, 2));
    expect(book.view).to.deep.equal({
      marketId: 'm',
      seq: 7,
      bids: levels([0.52, 4], [0.5, 10], [0.49, 1]),
      asks: levels([0.6, 2]),
    });
  });

  it('ignores deltas from before its snapshot', () => {
    const book = new LiveBook();
    book.apply(snapshot(5));
    book.apply(delta(4, 'bid', 0.5, 99));
    expect(book.view?.bids).to.deep.equal(levels([0.5, 10], [0.49, 3]));
  });

  it('is the same object while nothing changes', () => {
    const book = new LiveBook();
    book.apply(snapshot(5));
    expect(book.view).to.equal(book.view);
  });
});
