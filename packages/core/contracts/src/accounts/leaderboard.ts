import { z } from 'zod';
import { count, money } from '../numbers.ts';
import { Amounts } from '../portfolio/portfolio.ts';
import type { AmountsView } from '../portfolio/portfolio.ts';
import { dollars } from '../units.ts';

export const LeaderboardEntry = z
  .strictObject({
    id: z.string(),
    displayName: z.string(),
    rank: count.min(1).meta({
      description:
        '1 plus the number of rows with a higher portfolioValue. Of equal values, the older account comes first.',
    }),
    cash: money.meta({ description: 'Dollars, including what open orders reserve.' }),
    positionsValue: money.meta({
      description: "Σ shares × mark; the mark is the market's probability for YES, 1 minus it for NO.",
    }),
    portfolioValue: money.meta({ description: 'cash + positionsValue.' }),
    pnl: money.meta({ description: 'portfolioValue minus the starting balance.' }),
    openPositions: count.meta({ description: 'The number of sides held; YES and NO of a market are two.' }),
    trades: count.meta({ description: "The number of the account's fills, as taker and as maker." }),
    volume: money.meta({ description: "Dollars traded, each fill at the account's own price." }),
  })
  .meta({ id: 'LeaderboardEntry' });

export type LeaderboardEntryBody = z.output<typeof LeaderboardEntry>;

/** A ranked account. Amounts are in units, the value of positions in half units. */
export interface LeaderboardEntryView extends AmountsView {
  readonly id: string;
  readonly displayName: string;
  /** 1 plus the number of accounts of a higher value. */
  readonly rank: number;
  readonly openPositions: number;
  readonly trades: number;
  readonly volumeUnits: number;
}

export function leaderboardEntryBody(view: LeaderboardEntryView): LeaderboardEntryBody {
  return {
    id: view.id,
    displayName: view.displayName,
    rank: view.rank,
    ...Amounts.body(view),
    openPositions: view.openPositions,
    trades: view.trades,
    volume: dollars(view.volumeUnits),
  };
}
