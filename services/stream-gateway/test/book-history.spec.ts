import { orderBookBody } from '@paper/contracts/markets';
import { createRandom } from '@paper/testkit';
import { expect } from 'chai';
import { BookHistory } from '../src/book-history.ts';

describe('the history of the book streams', () => {
  it('has what a list of all that was sent has, or says that a part is not known', () => {
    const random = createRandom(7);
    const markets = ['m', 'n', 'o'];
    const began = new Map([['m', 4]]);
    const bytesMax = 2_000;
    const history = new BookHistory(began, bytesMax);
    const sent: { readonly marketId: string; readonly seq: number; readonly text: string }[] = [];
    const counts = { known: 0, unknown: 0 };
    for (let seq = 5; seq < 2_000; seq += 1) {
      // Nearly all is of one market, and the others are quiet for long.
      const marketId = random.chance(0.97) ? 'n' : random.pick(markets);
      const text = `${marketId} ${seq} ${'x'.repeat(random.int(0, 30))};`;
      history.add(marketId, seq, Buffer.from(text));
      sent.push({ marketId, seq, text });
      let kept = sent.length;
      for (let bytes = 0; kept > 0; kept -= 1) {
        bytes += sent[kept - 1]?.text.length ?? 0;
        if (bytes > bytesMax) break;
      }
      for (const of of markets) {
        const since = random.chance(0.5) ? random.int(0, seq) : Math.max(0, seq - random.int(0, 60));
        const lost = sent.slice(0, kept).findLast((one) => one.marketId === of)?.seq ?? began.get(of) ?? 0;
        const expected = sent.filter((one) => one.marketId === of && one.seq > since).map((one) => one.text);
        const found = history.since(of, since)?.toString() ?? null;
        expect(found, `${of} since ${since} at ${seq}`).to.equal(since < lost ? null : expected.join(''));
        counts[found === null ? 'unknown' : 'known'] += 1;
      }
    }
    expect(counts.known).to.be.greaterThan(1_000);
    expect(counts.unknown).to.be.greaterThan(1_000);
  });

  it('knows nothing of a market before its first reader', () => {
    const history = new BookHistory(new Map([['m', 4]]), 2_000);
    expect(history.isRemembered('m')).to.equal(false);
    history.skip('m', 6);
    history.remember('m');
    expect(history.isRemembered('m')).to.equal(true);
    history.add('m', 8, Buffer.from('8;'));
    expect(history.since('m', 5)).to.equal(null);
    expect(history.since('m', 6)?.toString()).to.equal('8;');
  });
});

describe('a snapshot of a book', () => {
  it('fits with every level into what a reader may leave unread', () => {
    const levels = Array.from({ length: 9_801 }, (_, n) => ({ orders: 1_000, priceUnits: 100 + n, quantity: 500_000 }));
    const view = { lastTradeUnits: 5_555, marketId: 'm'.repeat(200), seq: 1e15 };
    // A bid is below every ask, so both sides together have as many levels as there are prices.
    const book = { ...view, asks: levels.slice(4_900), bids: levels.slice(0, 4_900).reverse() };
    expect(Buffer.byteLength(JSON.stringify(orderBookBody(book, 10_000)))).to.be.lessThan(1024 * 1024);
  });
});
