import { z } from 'zod';
import { answer, computed, same, units } from '../answer.ts';
import type { BodyOf, ViewOf } from '../answer.ts';
import { count, money } from '../numbers.ts';
import { Amounts } from '../portfolio/portfolio.ts';

export const LeaderboardEntry = answer('LeaderboardEntry', {
  id: same(z.string()),
  displayName: same(z.string()),
  rank: same(
    count.min(1),
    '1 plus the number of rows with a higher portfolioValue. Of equal values, the older account comes first.',
  ),
  cash: units('cashUnits', 'Dollars, including what open orders reserve.'),
  positionsValue: computed(
    money.describe("Σ shares × mark; the mark is the market's probability for YES, 1 minus it for NO."),
    Amounts.fields.positionsValue.make,
  ),
  portfolioValue: computed(money.describe('cash + positionsValue.'), Amounts.fields.portfolioValue.make),
  pnl: computed(money.describe('portfolioValue minus the starting balance.'), Amounts.fields.pnl.make),
  openPositions: same(count, 'The number of sides held; YES and NO of a market are two.'),
  trades: same(count, "The number of the account's fills, as taker and as maker."),
  volume: units('volumeUnits', "Dollars traded, each fill at the account's own price."),
});

export type LeaderboardEntryBody = BodyOf<typeof LeaderboardEntry>;
export type LeaderboardEntryView = ViewOf<typeof LeaderboardEntry>;
