import { expect } from 'chai';
import fc from 'fast-check';
import { issuedKeyBody } from '../src/accounts/account.ts';
import { LeaderboardEntry } from '../src/accounts/leaderboard.ts';
import { Candles, candlesJson } from '../src/markets/candle.ts';
import { Market, orderBookBody, statusOf } from '../src/markets/market.ts';
import { RecentTrade } from '../src/markets/recent-trade.ts';
import { Order } from '../src/orders/order.ts';
import { Amounts, Position } from '../src/portfolio/portfolio.ts';
import { listingHeadline, resolutionHeadline, tradeHeadline } from '../src/signals/headline.ts';
import { MarketSignal } from '../src/signals/market-signal.ts';
import { MarketEvents } from '../src/signals/timeline.ts';
import { limitText } from '../src/text.ts';
import { dollars, parseInstant, parseUnits, probability } from '../src/units.ts';
import type { CandleView } from '../src/markets/candle.ts';
import { loneSignalView, marketSignalView, marketView, orderView, portfolio, timeline } from './samples.ts';

describe('units', () => {
  it('every whole number of units goes out and comes back', () => {
    fc.assert(
      fc.property(fc.integer({ min: -(10 ** 13), max: 10 ** 13 }), (units) => parseUnits(dollars(units)) === units),
      { seed: 3 },
    );
  });
  it('takes what binary arithmetic left for what was meant', () => {
    expect(parseUnits(0.1 + 0.2)).to.equal(3000);
    expect(parseUnits(0.57)).to.equal(5700);
  });
  it('refuses what is finer than a unit, and what no integer holds', () => {
    expect([0.00001, 0.50005, 1e300, Infinity, NaN].map(parseUnits)).to.deep.equal([null, null, null, null, null]);
  });
  it('half units are exact probabilities', () => {
    expect(probability(11_001)).to.equal(0.55005);
  });
  it('a limit over 500 is 500, a missing one the default', () => {
    const limit = limitText(50);
    const parsed = ['7', '500', '501', '9'.repeat(400), undefined].map((text) => limit.parse(text));
    expect(parsed).to.deep.equal([7, 500, 500, 500, 50]);
  });
  it('a moment with an offset is the same moment', () => {
    expect(parseInstant('2027-12-31T23:59:00+01:00')).to.equal(Date.UTC(2027, 11, 31, 22, 59));
  });
});

describe('market and book bodies', () => {
  it('derives the NO side and the spread', () => {
    const { bestYesBid, bestYesAsk, bestNoBid, bestNoAsk, spread, probability: p } = Market.body(marketView);
    expect({ bestYesBid, bestYesAsk, bestNoBid, bestNoAsk, spread, p }).to.deep.equal({
      bestYesBid: 0.54,
      bestYesAsk: 0.5601,
      bestNoBid: 0.4399,
      bestNoAsk: 0.46,
      spread: 0.0201,
      p: 0.55005,
    });
  });
  it('one side alone has no spread', () => {
    expect(Market.body({ ...marketView, bestAskUnits: null })).to.include({
      spread: null,
      bestNoBid: null,
      bestNoAsk: 0.46,
    });
  });
  it('maps seven phases to three statuses', () => {
    expect(
      (['scheduled', 'active', 'paused', 'closed', 'settling', 'resolved', 'void'] as const).map(statusOf),
    ).to.deep.equal(['pending', 'active', 'pending', 'pending', 'pending', 'resolved', 'pending']);
  });
  it('mirrors the book, best first, and cuts it at 200 levels', () => {
    const level = (priceUnits: number) => ({ priceUnits, quantity: 1, orders: 1 });
    const bids = Array.from({ length: 250 }, (_, i) => level(5000 - i));
    const body = orderBookBody({ marketId: 'm', seq: 1, bids, asks: [level(5100)], lastTradeUnits: 5050 });
    expect(body.yes.bids).to.have.length(200);
    expect(body.no.bids).to.deep.equal([{ price: 0.49, quantity: 1, orders: 1 }]);
    expect(body.no.asks[0]).to.deep.equal({ price: 0.5, quantity: 1, orders: 1 });
    expect(body).to.include({ bestYesBid: 0.5, bestNoBid: 0.49, spread: 0.01, lastTradePrice: 0.505 });
  });
});

describe('account bodies', () => {
  it('an order has exactly the documented fields', () => {
    expect(Order.body(orderView)).to.deep.equal({
      id: orderView.orderId,
      marketId: 'acme-2027',
      userId: orderView.accountId,
      side: 'buy',
      outcome: 'yes',
      orderType: 'limit',
      timeInForce: 'GTC',
      price: 0.54,
      quantity: 10,
      filledQty: 4,
      status: 'partial',
      createdAt: '2026-11-21T00:00:00.000Z',
      reservedAmount: 3.24,
    });
  });
  it('marks a NO position at 1 − p', () => {
    const body = Position.body({
      ...marketView,
      marketId: 'm',
      side: 'no',
      shares: 3,
      costUnits: 10_000,
      yesShares: 0,
      noShares: 3,
    });
    expect(body).to.include({ id: 'm:no', avgCost: 0.333333, markPrice: 0.44995, marketValue: 1.34985 });
    expect(body.unrealizedPnl).to.equal(0.34985);
  });
  it('rounds an average cost that ends in exactly a half of a millionth up', () => {
    const held = { ...marketView, marketId: 'm', side: 'no', yesShares: 0, noShares: 8 } as const;
    const costOf = (costUnits: number): number => Position.body({ ...held, shares: 8, costUnits }).avgCost;
    expect([costOf(10_001), costOf(10_003)]).to.deep.equal([0.125013, 0.125038]);
  });
  it('a portfolio adds up, alone and as a fleet', () => {
    const { summary, fleetSummary } = portfolio;
    expect(summary).to.include({ cash: 9999, positionsValue: 1.34985, portfolioValue: 10_000.34985, pnl: 0.34985 });
    expect(fleetSummary).to.deep.include({ accountCount: 3, subAccountCount: 2 });
    expect(fleetSummary?.total.cash).to.equal(19_998);
    expect(fleetSummary?.master).to.deep.equal(
      Amounts.body({ cashUnits: 99_990_000, positionsHalfUnits: 26_997, startingBalanceUnits: 100_000_000 }),
    );
  });
  it('a replayed key is not repeated', () => {
    const key = {
      keyId: 'k',
      name: 'n',
      permissions: [],
      last4: 'abcd',
      createdAt: 0,
      revokedAt: null,
      lastUsedOn: null,
      mandate: null,
    };
    expect(issuedKeyBody(key, 'svc_live_x')).to.have.property('rawKey', 'svc_live_x');
    expect(issuedKeyBody(key, null)).not.to.have.property('rawKey');
  });
});

const CANDLE: CandleView = {
  start: 0,
  ...{ openUnits: 4501, highUnits: 4700, lowUnits: 4400, closeUnits: 4600 },
  ...{ volume: 12, trades: 3, bestBidUnits: 4500, bestAskUnits: null },
};

describe('bodies for watchers', () => {
  it("a market's signals: exact figures as they are, derived ones to six decimals", () => {
    const body = MarketSignal.body(marketSignalView);
    expect(body).to.deep.include({
      probability: 0.55005,
      snapshotDelta: -0.04995,
      daysToEnd: 0.25,
      sectorAvgProb: 0.333333,
      siblingAvgProb: 0.500025,
      graphCentrality: 0.333333,
      oracleScore: 0.123457,
      neighborSignal: -0.166667,
      bestYesBid: 0.54,
      bestNoBid: 0.4399,
      bestYesAsk: 0.5601,
      spread: 0.0201,
    });
    expect(body.recentEvents).to.deep.equal([
      {
        id: 'signal-1',
        source: 'newsroom',
        headline: 'Acme ships',
        citationUrl: 'https://acme.example/n/1',
        publishedAt: '2026-11-21T00:00:00.000Z',
        marketProbBefore: 0.55005,
        marketProbAfter: null,
        fairProb: 0.7,
      },
    ]);
  });
  it('what a market has not is null, and a closing time that is past is 0 days away', () => {
    expect(MarketSignal.body(loneSignalView)).to.deep.include({
      daysToEnd: 0,
      neighborSignal: null,
      siblingAvgProb: null,
      bestYesBid: null,
      bestNoBid: null,
      bestYesAsk: null,
      spread: null,
      recentEvents: [],
    });
  });
  it('a timeline counts its items, and every field of the specification is there', () => {
    const body = MarketEvents.body({ marketId: 'm', timeline });
    expect(body).to.include({ marketId: 'm', count: 3 });
    expect(body.timeline.map(({ kind, headline, probability: p }) => [kind, headline, p])).to.deep.equal([
      ['signal', 'Acme ships', 0.5],
      ['trade', '3 NO at 0.45', 0.55005],
      ['resolution', 'Resolved YES', 1],
    ]);
    expect(body.timeline[0]).to.deep.equal({
      kind: 'signal',
      date: '2026-11-20T00:00:00.000Z',
      headline: 'Acme ships',
      source: 'newsroom',
      event: 'PressRelease',
      citationUrl: 'https://acme.example/n/1',
      fairProb: 0.7,
      marketProbBefore: 0.5,
      marketProbAfter: 0.55005,
      factValue: -12.5,
      threshold: 1e6,
      confidence: 0.9,
      freshnessMs: 1200,
      probability: 0.5,
      externalId: 'n-1',
      relatedSignalId: null,
      interpolated: true,
    });
  });
  it('candles begin at their minutes, on any days', () => {
    const minute = fc.integer({ min: 0, max: Date.UTC(2999, 0) / 60_000 });
    fc.assert(
      fc.property(fc.array(minute), (minutes) => {
        const views = minutes.map((one) => ({ ...CANDLE, start: one * 60_000 }));
        const starts = Candles.parse(JSON.parse(candlesJson('m', 1, views).toString())).candles.map(
          ({ start }) => start,
        );
        expect(starts).to.deep.equal(views.map(({ start }) => new Date(start).toISOString()));
      }),
      { seed: 15 },
    );
    expect(JSON.parse(candlesJson('m', 5, [CANDLE]).toString())).to.deep.equal({
      marketId: 'm',
      period: 5,
      candles: [
        {
          start: '1970-01-01T00:00:00.000Z',
          ...{ open: 0.4501, high: 0.47, low: 0.44, close: 0.46 },
          ...{ volume: 12, trades: 3, yesBidClose: 0.45, yesAskClose: null },
        },
      ],
    });
  });

  it('a trade of NO names both prices', () => {
    const trade = RecentTrade.body({
      ...marketView,
      id: 't',
      marketId: 'm',
      seq: 1,
      outcome: 'no',
      side: 'sell',
      priceUnits: 4399,
      quantity: 10,
      kind: 'merge',
      createdAt: 0,
    });
    expect(trade).to.include({ price: 0.4399, yesPrice: 0.5601, notional: 4.399 });
    expect(trade.market).to.deep.equal({
      title: marketView.title,
      ticker: 'ACME',
      companySlug: 'acme',
      resolvedOutcome: null,
    });
  });
  it('a ranked account is worth what its portfolio says', () => {
    const { cash, positionsValue, portfolioValue, pnl } = portfolio.summary;
    const amounts = { cashUnits: 99_990_000, positionsHalfUnits: 26_997, startingBalanceUnits: 100_000_000 };
    expect(
      LeaderboardEntry.body({
        ...amounts,
        id: 'a',
        displayName: 'Ann',
        rank: 7,
        openPositions: 1,
        trades: 3,
        volumeUnits: 12_345,
      }),
    ).to.deep.equal({
      id: 'a',
      displayName: 'Ann',
      rank: 7,
      cash,
      positionsValue,
      portfolioValue,
      pnl,
      openPositions: 1,
      trades: 3,
      volume: 1.2345,
    });
  });
  it('headlines of our own', () => {
    expect([
      tradeHeadline('yes', 10, 5500),
      listingHeadline(7600),
      resolutionHeadline('no', 0),
      resolutionHeadline(null, 11_001),
    ]).to.deep.equal(['10 YES at 0.55', 'Listed at 0.38', 'Resolved NO', 'Voided at 0.55005']);
  });
});
