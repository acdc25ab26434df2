import { z } from 'zod';
import { Activity } from '../activity.ts';
import { listCost } from '../cost.ts';
import { defineEndpoint } from '../endpoint.ts';
import { LeaderboardEntry } from '../leaderboard.ts';
import { MarketSignal } from '../market-signal.ts';
import { RecentTrade } from '../recent-trade.ts';
import { cursorText, limitText, NEXT_PAGE, text } from '../text.ts';
import { MarketEvents, TIMELINE_LIMIT } from '../timeline.ts';
import {
  exampleActivity,
  exampleLeaderboard,
  exampleMarketEvents,
  exampleMarketSignal,
  exampleRecentTrade,
} from '../example-answers.ts';
import { EXAMPLE_MARKET_ID } from '../example-data.ts';

/** Endpoints for watching: signals and history of markets, and the platform's activity. */
export const watchingEndpoints = {
  listMarketSignals: defineEndpoint({
    id: 'listMarketSignals',
    method: 'get',
    path: '/api/markets/signals',
    tag: 'Signals',
    summary: 'List active markets with computed signals',
    description:
      "One item for each active market, newest listing first. The whole answer shows one moment, at most 2 s ago, so it can miss the caller's latest command. Time windows end at a whole minute. Volume is in shares. Derived figures have up to six decimals.",
    auth: 'key',
    permission: 'view',
    kind: 'read',
    cost: { base: 2 },
    conditional: true,
    answer: z.array(MarketSignal),
    errors: ['forbidden'],
    example: { answer: [exampleMarketSignal] },
  }),
  getMarketEvents: defineEndpoint({
    id: 'getMarketEvents',
    method: 'get',
    path: '/api/markets/{id}/events',
    tag: 'Markets',
    summary: "Get a market's timeline",
    description: `Signals, trades and the resolution, with their citations. The answer has the newest entries, oldest first. A signal about the whole platform is in \`GET /api/signals/recent\` only. ${NEXT_PAGE} A further page is older.`,
    auth: 'public',
    kind: 'read',
    cost: listCost(1, 25, TIMELINE_LIMIT),
    conditional: true,
    params: z.object({ id: text(1).meta({ description: 'The id of the market.' }) }),
    query: z.object({ limit: limitText(TIMELINE_LIMIT), cursor: cursorText }),
    answer: MarketEvents,
    errors: ['validation_failed', 'market_not_found'],
    example: { params: { id: EXAMPLE_MARKET_ID }, query: { limit: '500' }, answer: exampleMarketEvents },
  }),
  getLeaderboard: defineEndpoint({
    id: 'getLeaderboard',
    method: 'get',
    path: '/api/leaderboard',
    tag: 'Platform',
    summary: 'Rank accounts by portfolio value',
    description: `The ranking includes every account with the usual starting balance, also sub-accounts. It leaves out house accounts and accounts with another starting balance. The whole ranking shows one sequence, at most 2 s old. ${NEXT_PAGE}`,
    auth: 'public',
    kind: 'read',
    cost: listCost(1, 25, 50),
    conditional: true,
    query: z.object({ limit: limitText(50), cursor: cursorText }),
    answer: z.array(LeaderboardEntry),
    errors: ['validation_failed'],
    example: { query: { limit: '50' }, answer: exampleLeaderboard },
  }),
  listRecentTrades: defineEndpoint({
    id: 'listRecentTrades',
    method: 'get',
    path: '/api/trades/recent',
    tag: 'Platform',
    summary: 'List recent trades of all markets',
    description: `One item for each fill, in the terms of its taker, newest first. ${NEXT_PAGE}`,
    auth: 'public',
    kind: 'read',
    cost: listCost(2, 15, 50),
    conditional: true,
    query: z.object({ limit: limitText(50), cursor: cursorText }),
    answer: z.array(RecentTrade),
    errors: ['validation_failed'],
    example: { query: { limit: '50' }, answer: [exampleRecentTrade] },
  }),
  getActivity: defineEndpoint({
    id: 'getActivity',
    method: 'get',
    path: '/api/activity',
    tag: 'Platform',
    summary: 'Get the latest activity of the platform',
    description: 'Figures of the last 24 h, and the newest trades, signals, listings and resolutions of all markets.',
    auth: 'public',
    kind: 'read',
    cost: { base: 3 },
    conditional: true,
    answer: Activity,
    errors: [],
    example: { answer: exampleActivity },
  }),
};
