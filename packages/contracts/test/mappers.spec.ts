import { expect } from 'chai';
import fc from 'fast-check';
import {
  amountsBody,
  dollars,
  issuedKeyBody,
  limitOf,
  marketBody,
  orderBody,
  orderBookBody,
  parseInstant,
  parseUnits,
  positionBody,
  probability,
  statusOf,
} from '../src/index.ts';
import { marketView, orderView, portfolio } from './samples.ts';

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
    expect([limitOf('7', 50), limitOf('9'.repeat(400), 50), limitOf(undefined, 50)]).to.deep.equal([7, 500, 50]);
  });
  it('a moment with an offset is the same moment', () => {
    expect(parseInstant('2027-12-31T23:59:00+01:00')).to.equal(Date.UTC(2027, 11, 31, 22, 59));
  });
});

describe('market and book bodies', () => {
  it('derives the NO side and the spread', () => {
    const { bestYesBid, bestYesAsk, bestNoBid, bestNoAsk, spread, probability: p } = marketBody(marketView);
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
    expect(marketBody({ ...marketView, bestAskUnits: null })).to.include({
      spread: null,
      bestNoBid: null,
      bestNoAsk: 0.46,
    });
  });
  it('knows three statuses for seven phases', () => {
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
    expect(orderBody(orderView)).to.deep.equal({
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
    const body = positionBody({
      marketId: 'm',
      side: 'no',
      shares: 3,
      costUnits: 10_000,
      yesShares: 0,
      noShares: 3,
      market: marketView,
    });
    expect(body).to.include({ id: 'm:no', avgCost: 0.333333, markPrice: 0.44995, marketValue: 1.34985 });
    expect(body.unrealizedPnl).to.equal(0.34985);
  });
  it('a portfolio adds up, alone and as a fleet', () => {
    const { summary, fleetSummary } = portfolio;
    expect(summary).to.include({ cash: 9999, positionsValue: 1.34985, portfolioValue: 10_000.34985, pnl: 0.34985 });
    expect(fleetSummary).to.deep.include({ accountCount: 3, subAccountCount: 2 });
    expect(fleetSummary?.total.cash).to.equal(19_998);
    expect(fleetSummary?.master).to.deep.equal(
      amountsBody({ cashUnits: 99_990_000, positionsHalfUnits: 26_997, startingBalanceUnits: 100_000_000 }),
    );
  });
  it('a replayed key is not repeated', () => {
    const key = { keyId: 'k', name: 'n', permissions: [], last4: 'abcd', createdAt: 0, revokedAt: null };
    expect(issuedKeyBody(key, 'svc_live_x')).to.have.property('rawKey', 'svc_live_x');
    expect(issuedKeyBody(key, null)).not.to.have.property('rawKey');
  });
});
