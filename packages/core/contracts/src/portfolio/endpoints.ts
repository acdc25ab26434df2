import { z } from 'zod';
import { defineEndpoint, withIds } from '../endpoint.ts';
import { asOfText } from '../text.ts';
import { Portfolio, Positions } from './portfolio.ts';

export const portfolioEndpoints = withIds({
  getPortfolio: defineEndpoint({
    path: '/api/portfolio',
    tag: 'Portfolio',
    summary: 'Get cash, positions, orders, trades and results',
    description:
      "portfolioValue = cash + Σ shares × mark. The mark of YES is the market's probability, and the mark of NO is 1 minus it. Cash includes what open orders reserve. pnl = portfolioValue − startingBalance. A sale lowers the cost of a position in proportion. A primary account with sub-accounts also gets a fleetSummary.\n\nWith `asOfSeq` the answer shows the portfolio, the marks and the markets as of that sequence. It is 404 `account_not_found` if the account was not open yet.",
    auth: 'key',
    cost: { base: 2, asOfSeq: 20 },
    conditional: true,
    query: z.object({ asOfSeq: asOfText }),
    answer: Portfolio,
    errors: ['account_not_found'],
  }),
  getPositions: defineEndpoint({
    path: '/api/positions',
    tag: 'Portfolio',
    summary: "List the account's positions",
    description: 'One item for each side that is held. An account can hold YES and NO of a market at once.',
    auth: 'key',
    conditional: true,
    answer: Positions.schema,
  }),
});
