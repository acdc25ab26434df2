import type { RecentTradeBody } from '@paper/contracts/markets';
import { expect } from 'chai';
import { feedItems, feedReads } from '../../web/pages/activity/feed.ts';
import type { EventsAnswer, FeedFilter } from '../../web/pages/activity/feed.ts';

const at = (second: number): string => new Date(second * 1000).toISOString();

const TRADE: RecentTradeBody = {
  id: 't1',
  marketId: 'm',
  seq: 9,
  outcome: 'no',
  side: 'sell',
  price: 0.4,
  yesPrice: 0.6,
  quantity: 1_200,
  notional: 480,
  kind: 'transfer',
  createdAt: at(9),
  market: { title: 'Will it?', ticker: 'IT', companySlug: 'it', resolvedOutcome: null },
};
const item = (id: string, kind: 'trade' | 'signal' | 'resolution', headline: string, second: number) =>
  ({ id, seq: second, kind, marketId: 'm', title: 'Will it?', headline, createdAt: at(second) }) as const;
const FEED = {
  feed: [
    item('t1', 'trade', '1200 NO at 0.4', 9),
    item('t0', 'trade', '5 YES at 0.55', 8),
    item('r', 'resolution', 'Resolved YES', 7),
    item('s', 'signal', 'YES at last: Resolved YES', 6),
  ],
};
const ALL: FeedFilter = { kind: 'all', market: '' };

const shown = (filter: FeedFilter, events: EventsAnswer = FEED) =>
  feedItems(filter, events, [TRADE], FEED.feed).map(({ headline, id, side }) => [id, side, headline]);

describe('the feed of the page of activity', () => {
  it('says of each trade whether it was bought or sold, and names outcomes in one way', () => {
    expect(shown(ALL)).to.deep.equal([
      ['t1', 'sell', '1,200 No at 0.40 for $480.00'],
      ['r', null, 'Resolved Yes'],
      ['s', null, 'YES at last: Resolved YES'],
    ]);
  });

  it('shows all trades since the oldest event, also those that are not among the events', () => {
    const trades = [10, 9, 8, 5].map((second) => ({ ...TRADE, id: `t${second}`, createdAt: at(second) }));
    const ids = feedItems(ALL, FEED, trades, FEED.feed).map(({ id }) => id);
    expect(ids).to.deep.equal(['t10', 't9', 't8', 'r', 's']);
  });

  it('given a kind, then only that is there', () => {
    expect(shown({ ...ALL, kind: 'signal' }).map(([id]) => id)).to.deep.equal(['s']);
    expect(shown({ ...ALL, kind: 'trade' }).map(([id]) => id)).to.deep.equal(['t1']);
  });

  it("given a market, then its timeline is read, and its trades have their takers' sides", () => {
    const market = { kind: 'all', market: 'a b' } as const;
    expect(feedReads(market)).to.deep.equal({
      events: '/api/markets/a%20b/events?limit=100',
      trades: '/api/trades/recent?limit=100&marketId=a%20b',
    });
    // Its trades alone need no timeline.
    expect(feedReads({ ...market, kind: 'trade' }).events).to.equal('/api/activity');
    const entry = (kind: 'trade' | 'signal', externalId: string, second: number) => ({
      kind,
      externalId,
      date: at(second),
      headline: '1200 NO at 0.4',
    });
    const timeline = { timeline: [entry('signal', 's', 3), entry('trade', 't1', 9)] } as unknown as EventsAnswer;
    expect(shown(market, timeline)).to.deep.equal([
      ['t1', 'sell', '1,200 No at 0.40 for $480.00'],
      ['s', null, '1200 No at 0.4'],
    ]);
  });

  it('given listings or settlements of all markets, then they come from the list of markets and the newest events', () => {
    const markets = [
      { id: 'm', title: 'Will it?', phase: 'resolved', resolvedOutcome: 'yes', createdAt: at(1), resolvedAt: at(7) },
      { id: 'a', title: 'A?', phase: 'resolved', resolvedOutcome: 'no', createdAt: at(2), resolvedAt: at(5) },
    ].map((market) => ({ ...market, probability: 0.384 })) as unknown as EventsAnswer;
    const settled: FeedFilter = { ...ALL, kind: 'resolution' };
    expect(feedReads(settled)).to.deep.equal({ events: '/api/markets?status=resolved&limit=50', trades: null });
    expect(shown(settled, markets)).to.deep.equal([
      ['r', null, 'Resolved Yes'],
      ['a', null, 'Resolved No'],
    ]);
    expect(shown({ ...ALL, kind: 'listing' }, markets)[0]).to.deep.equal(['a', null, 'Now at 38.4%']);
  });
});
