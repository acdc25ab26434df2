import { z } from 'zod';
import { Activity } from '../activity.ts';
import { listCost } from '../cost.ts';
import { defineEndpoint } from '../endpoint.ts';
import { LeaderboardEntry } from '../leaderboard.ts';
import { MarketSignal } from '../market-signal.ts';
import { RecentTrade } from '../recent-trade.ts';
import { cursorText, limitText, text } from '../text.ts';
import { MarketEvents, TIMELINE_LIMIT } from '../timeline.ts';
import {
  exampleActivity,
  exampleLeaderboard,
  exampleMarketEvents,
  exampleMarketSignal,
  exampleRecentTrade,
} from '../example-answers.ts';
import { EXAMPLE_MARKET_ID } from '../example-data.ts';

const PAGES = 'Further pages by the `Link: rel="next"` header.';

/** What people and bots watch: markets' signals and history, and what happens on the whole platform. */
export const watchingEndpoints = {
  listMarketSignals: defineEndpoint({
    id: 'listMarketSignals',
    method: 'get',
    path: '/api/markets/signals',
    tag: 'Signals',
    summary: 'Every active market with its signals',
    description:
      "One item for each active market, newest listing first. All of one answer is of one moment, at most 2 s behind the last change, so a command of the caller's may not be in it yet; whose key it is is known as on every read. Windows are evaluated at a whole minute; volume is in shares; figures that follow from others are given to six decimals.",
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
    summary: "A market's timeline: signals, trades, its resolution",
    description: `The newest entries, oldest first, with their citations. A signal about the whole platform is in signals/recent only. ${PAGES} A further page is older.`,
    auth: 'public',
    kind: 'read',
    cost: listCost(1, 25, TIMELINE_LIMIT),
    conditional: true,
    params: z.object({ id: text(1) }),
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
    summary: 'Accounts by portfolio value',
    description: `Every account of the usual starting balance is ranked, sub-accounts too; the house's and those that started with another balance are not. All of one sequence, at most 2 s old. ${PAGES}`,
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
    summary: 'The newest trades of all markets',
    description: `Newest first, one item a fill, as its taker saw it. ${PAGES}`,
    auth: 'public',
    kind: 'read',
    cost: listCost(2, 25, 50),
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
    summary: 'The pulse of the platform, and what happened last',
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
