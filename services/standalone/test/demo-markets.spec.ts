import { expect } from 'chai';
import { EXAMPLES } from '@paper/contracts';
import type { MarketBody } from '@paper/contracts/markets';
import { ListMarketInput } from '@paper/contracts/operator';
import { DEMO_MARKETS } from '../src/demo-markets.ts';

describe('the markets of the demo', () => {
  it('are listings that the operator API accepts, each with an id of its own', () => {
    for (const market of DEMO_MARKETS) expect(ListMarketInput.safeParse(market).error, market.id).to.equal(undefined);
    expect(new Set(DEMO_MARKETS.map((market) => market.id)).size).to.equal(DEMO_MARKETS.length);
  });

  it('are at least 28 of at least seven sectors, open for years, on the cent', () => {
    expect(DEMO_MARKETS.length).to.be.at.least(28);
    expect(new Set(DEMO_MARKETS.map((market) => market.sector)).size).to.be.at.least(7);
    for (const { id, closesAt, prior, tickSize } of DEMO_MARKETS) {
      expect(closesAt.slice(0, 4), id).to.match(/^202[78]$/);
      expect(tickSize, id).to.equal(0.01);
      expect(Number.isInteger(Math.round(prior * 1e6) / 1e4), id).to.equal(true);
    }
  });

  it('hang together: every driver but a few is shared, so that the market graph has edges', () => {
    const uses = new Map<string, number>();
    for (const driver of DEMO_MARKETS.flatMap((market) => market.drivers ?? [])) {
      uses.set(driver, (uses.get(driver) ?? 0) + 1);
    }
    expect([...uses.values()].filter((times) => times > 1).length / uses.size).to.be.greaterThan(0.6);
  });

  it('hold the market of the documented examples, as it is shown there', () => {
    const shown = EXAMPLES.getMarket.answer as MarketBody;
    const listed = DEMO_MARKETS.find(({ id }) => id === EXAMPLES.getMarket.params?.['id']);
    for (const field of ['id', 'title', 'ticker', 'companySlug', 'sector', 'category', 'settlementSource'] as const) {
      expect(shown[field], field).to.equal(listed?.[field]);
    }
    expect([shown.closesAt, shown.tickSize]).to.deep.equal([listed?.closesAt, listed?.tickSize]);
    const sectors = DEMO_MARKETS.map(({ sector }) => sector);
    expect(sectors).to.include(EXAMPLES.listMarkets.query?.['sector']);
    const bodies = Object.values(EXAMPLES.placeOrder.bodies ?? {});
    expect(bodies).to.not.have.length(0);
    for (const body of bodies) expect(body).to.include({ marketId: listed?.id });
  });
});
