import { z } from 'zod';
import { answer, computed, list, same, time } from '../answer.ts';
import type { BodyOf, ViewOf } from '../answer.ts';
import { money } from '../numbers.ts';
import { probability } from '../units.ts';
import { LeaderboardEntry } from './leaderboard.ts';

/** The largest number of points of a trader's equity, including the first and the last. */
export const EQUITY_POINTS = 200;

const EquityPoint = answer('EquityPoint', {
  at: time('at'),
  value: computed(
    money.describe('The portfolioValue then, in dollars.'),
    ({ valueHalfUnits }: { readonly valueHalfUnits: number }) => probability(valueHalfUnits),
  ),
});

const { openPositions, pnl, portfolioValue, trades, volume } = LeaderboardEntry.fields;

/** The public results of an account: its figures on the leaderboard, and its value since its opening. */
export const Trader = answer('Trader', {
  id: same(z.string()),
  displayName: same(z.string()),
  since: time('createdAt', 'When the account was opened: ISO 8601, UTC, with milliseconds.'),
  portfolioValue,
  pnl,
  volume,
  trades,
  openPositions,
  equity: list(
    'equity',
    EquityPoint,
    `The portfolioValue over time, oldest first, ${EQUITY_POINTS} points at most: the opening, or \`from\`, moments at even intervals, and the newest event of the exchange.`,
  ),
});

export type TraderBody = BodyOf<typeof Trader>;
export type TraderView = ViewOf<typeof Trader>;
