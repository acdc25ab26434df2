import type { ExchangeEvent } from '@paper/exchange/events';
import { expect } from 'chai';
import { createFold } from '../src/models/index.ts';
import { RecentChanges } from '../src/projection/recent-changes.ts';
import { journalEvents, listed, marketBuyMeetsNoBid, opened, resting } from './events.ts';

const bid = (order: string, priceUnits: number) =>
  resting('b', order, 'm', { side: 'buy', outcome: 'yes', priceUnits, quantity: 5 });
const offer = resting('b', 'offer', 'm', { side: 'buy', outcome: 'no', priceUnits: 4000, quantity: 5 });
const cancelled: ExchangeEvent = {
  accountId: 'b',
  at: 0,
  marketId: 'm',
  orderId: 'low',
  outcome: 'yes',
  priceUnits: 100,
  quantity: 5,
  reason: 'user',
  resting: true,
  side: 'buy',
  type: 'OrderCancelled',
};

describe('recorded changes', () => {
  let changes: RecentChanges;
  let fold: ReturnType<typeof createFold>;
  let seq: number;

  const apply = (...events: readonly ExchangeEvent[]): void => {
    for (const event of journalEvents([events], seq + 1)) {
      fold.apply(event);
      changes.record(event.event, event.seq, fold.rows.markets.current);
      seq = event.seq;
    }
  };
  /** An account, a market's name and its probability: true for each that has not changed since a sequence. */
  const same = (fromSeq: number, accountId: string): readonly boolean[] =>
    [
      { accountId, marketIds: [], valuedMarketIds: [] },
      { accountId: 'nobody', marketIds: ['m'], valuedMarketIds: [] },
      { accountId: 'nobody', marketIds: [], valuedMarketIds: ['m'] },
    ].map((shown) => changes.isUnchanged('s', fromSeq, seq, shown));

  beforeEach(() => {
    changes = new RecentChanges();
    fold = createFold();
    seq = 0;
    changes.restart('s', 0);
    apply(listed('m'), opened('a'), opened('b'));
    apply(bid('best', 5900));
    apply(offer);
  });

  it('tell an account from others, and orders from what names and values a market', () => {
    expect(same(seq, 'a')).to.deep.equal([true, true, true]);
    const before = seq;
    apply(bid('low', 100));
    apply(cancelled);
    expect(same(before, 'a')).to.deep.equal([true, true, true]);
    expect(same(before, 'b')).to.deep.equal([false, true, true]);
  });

  it('tell of a new probability, and of both sides of a fill', () => {
    const before = seq;
    const fill = { taker: 'a', takerOrder: 't', maker: 'b', makerOrder: 'offer', makerRemaining: 0, quantity: 5 };
    apply(...marketBuyMeetsNoBid({ ...fill, marketId: 'm', yesPriceUnits: 6000 }));
    expect(same(before, 'a')).to.deep.equal([false, true, false]);
    expect(same(before, 'b')).to.deep.equal([false, true, false]);
    expect(same(seq, 'a')).to.deep.equal([true, true, true]);
  });

  it('tell of a market that stops, and of a primary whose sub-account opens', () => {
    const before = seq;
    apply({ at: 0, by: 'operator', marketId: 'm', type: 'MarketClosed' });
    expect(same(before, 'a')).to.deep.equal([true, false, true]);
    const stopped = seq;
    apply({
      accountId: 'sub',
      at: 0,
      nameDigest: 'd2'.repeat(32),
      permissions: ['view'],
      primaryAccountId: 'a',
      startingBalanceUnits: 1,
      type: 'SubAccountOpened',
    });
    expect([same(stopped, 'a')[0], same(stopped, 'sub')[0], same(stopped, 'b')[0]]).to.deep.equal([false, false, true]);
  });

  it('are certain only of events since the beginning, in their schema, that were folded', () => {
    const shown = { accountId: 'a', marketIds: [], valuedMarketIds: [] };
    expect(changes.isUnchanged('other', seq, seq, shown)).to.equal(false);
    expect(changes.isUnchanged('s', seq, seq + 1, shown)).to.equal(false);
    changes.restart('s', seq);
    expect(changes.isUnchanged('s', seq - 1, seq, shown)).to.equal(false);
    expect(changes.isUnchanged('s', seq, seq, shown)).to.equal(true);
  });

  it('are dropped when they are of too many accounts', () => {
    changes = new RecentChanges(2);
    changes.restart('s', seq);
    const before = seq;
    apply(opened('c'), opened('d'));
    expect(same(before, 'a')[0]).to.equal(true);
    apply(opened('e'));
    expect([same(before, 'a')[0], same(seq, 'a')[0]]).to.deep.equal([false, true]);
  });
});
