import type { PositionBody } from '@paper/contracts/portfolio';
import { expect } from 'chai';
import { liveTotals, positionWorth } from '../../web/pages/portfolio/live-positions.ts';

const position: PositionBody = {
  id: 'm:yes',
  marketId: 'm',
  side: 'yes',
  shares: 10,
  avgCost: 0.4,
  markPrice: 0.5,
  marketValue: 5,
  unrealizedPnl: 1,
  yesShares: 10,
  noShares: 0,
  market: {
    id: 'm',
    title: 'A market',
    ticker: 'TICK',
    companySlug: 'company',
    resolvedOutcome: null,
    probability: 0.5,
    status: 'active',
  },
};

describe('positions at live marks', () => {
  it('given no pulse of the market, then the figures are those of the portfolio', () => {
    expect(positionWorth(position, undefined)).to.deep.equal({ mark: 0.5, value: 5, pnl: 1 });
  });

  it('given a pulse, then YES is worth its probability and NO the rest', () => {
    expect(positionWorth(position, { probability: 0.75 })).to.deep.equal({ mark: 0.75, value: 7.5, pnl: 3.5 });
    expect(positionWorth({ ...position, side: 'no' }, { probability: 0.75 })).to.deep.equal({
      mark: 0.25,
      value: 2.5,
      pnl: -1.5,
    });
  });

  it('given pulses of some markets, then the totals have both', () => {
    const other = { ...position, marketId: 'n', id: 'n:yes' };
    const pulses = new Map([['m', { probability: 0.75 }]]);
    expect(liveTotals({ cash: 100, startingBalance: 110 }, [position, other], pulses)).to.deep.equal({
      portfolioValue: 112.5,
      pnl: 2.5,
    });
  });
});
