import { z } from 'zod';
import { Activity } from '../activity.ts';
import { CANDLE_LIMIT, CANDLE_LIMIT_MAX, candlePeriodText, Candles } from '../candle.ts';
import { listCost } from '../cost.ts';
import { defineEndpoint } from '../endpoint.ts';
import { LeaderboardEntry } from '../leaderboard.ts';
import { MarketSignal } from '../market-signal.ts';
import { Moments } from '../moment.ts';
import { RecentTrade, Trade } from '../recent-trade.ts';
import { cursorText, limitText, NEXT_PAGE, text, utcText } from '../text.ts';
import { MarketEvents, TIMELINE_LIMIT } from '../timeline.ts';

/** Trades on a page where no limit is given, and at most. */
const TRADES_LIMIT = 500;

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
    answer: z.array(MarketSignal.schema),
    errors: ['forbidden'],
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
    answer: MarketEvents.schema,
    errors: ['validation_failed', 'market_not_found'],
  }),
  getMarketCandles: defineEndpoint({
    id: 'getMarketCandles',
    method: 'get',
    path: '/api/markets/{id}/candles',
    tag: 'Markets',
    summary: "Get a market's candles",
    description: `The YES price of the market's trades, one item for each period, oldest first: from the first trade on, up to the period of the exchange's newest event, which is still under way, or to the market's settlement. Periods begin at multiples of their length since 1970 UTC. A period without a trade has volume 0, and the close before it in all of its prices. A merge of shares into cash is no trade. ${NEXT_PAGE}`,
    auth: 'public',
    kind: 'read',
    cost: listCost(1, 125, CANDLE_LIMIT, CANDLE_LIMIT_MAX),
    conditional: true,
    params: z.object({ id: text(1).meta({ description: 'The id of the market.' }) }),
    query: z.object({
      period: candlePeriodText,
      from: utcText.optional().meta({ description: 'Only candles that start at or after this time.' }),
      to: utcText.optional().meta({ description: 'Only candles that start before this time.' }),
      limit: limitText(CANDLE_LIMIT, CANDLE_LIMIT_MAX),
      cursor: cursorText,
    }),
    answer: Candles,
    errors: ['validation_failed', 'market_not_found'],
  }),
  listMoments: defineEndpoint({
    id: 'listMoments',
    method: 'get',
    path: '/api/markets/{id}/moments',
    tag: 'Markets',
    summary: "List moments of a market's history",
    description:
      'The steps of a time slider: the probability just after each event of the market, oldest first, with the sequence at which books and portfolios can be read (`asOfSeq`). Where there are more events than `points`, they are thinned evenly by their number; the first and the last one of the range stay (of a single point, the last).',
    auth: 'public',
    kind: 'read',
    cost: { base: 8 },
    conditional: true,
    params: z.object({ id: text(1).meta({ description: 'The id of the market.' }) }),
    query: z.object({
      from: utcText.optional().meta({ description: 'Only events at or after this time.' }),
      to: utcText.optional().meta({ description: 'Only events before this time.' }),
      points: limitText(100).meta({ description: 'The largest number of moments; more than 500 is taken as 500.' }),
    }),
    answer: Moments.schema,
    errors: ['validation_failed', 'market_not_found'],
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
  }),
  listRecentTrades: defineEndpoint({
    id: 'listRecentTrades',
    method: 'get',
    path: '/api/trades/recent',
    tag: 'Platform',
    summary: 'List recent trades of all markets',
    description: `One item for each fill, in the terms of its taker, newest first. An unknown marketId returns an empty list. ${NEXT_PAGE}`,
    auth: 'public',
    kind: 'read',
    cost: listCost(2, 15, 50),
    conditional: true,
    query: z.object({
      marketId: text().optional().meta({ description: 'Only trades of this market; left out: of all markets.' }),
      from: utcText.optional().meta({ description: 'Only trades at or after this time.' }),
      to: utcText.optional().meta({ description: 'Only trades before this time.' }),
      limit: limitText(50),
      cursor: cursorText,
    }),
    answer: z.array(RecentTrade.schema),
    errors: ['validation_failed'],
  }),
  downloadTrades: defineEndpoint({
    id: 'downloadTrades',
    method: 'get',
    path: '/api/trades',
    tag: 'Platform',
    summary: 'Download trades of all markets',
    description: `Every trade in the order of the journal, oldest first, for research: read all pages, and ask for the last one again later. \`GET /api/trades/recent\` is for watching: newest first, with the names of markets. An unknown marketId returns an empty list.

\`format=csv\` returns CSV by RFC 4180: one column for each field, and a header line on each page. \`format=ndjson\` returns one trade a line. ${NEXT_PAGE}`,
    auth: 'public',
    kind: 'read',
    cost: listCost(2, 25, TRADES_LIMIT),
    media: ['application/json', 'text/csv', 'application/x-ndjson'],
    conditional: true,
    query: z.object({
      marketId: text().optional().meta({ description: 'Only trades of this market; left out: of all markets.' }),
      from: utcText.optional().meta({ description: 'Only trades at or after this time.' }),
      to: utcText.optional().meta({ description: 'Only trades before this time.' }),
      format: z
        .enum(['json', 'csv', 'ndjson'])
        .optional()
        .meta({ default: 'json', description: 'The format of the answer.' }),
      limit: limitText(TRADES_LIMIT),
      cursor: cursorText,
    }),
    answer: z.array(Trade.schema),
    line: Trade.schema,
    errors: ['validation_failed'],
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
    answer: Activity.schema,
    errors: [],
  }),
};
