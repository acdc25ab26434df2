import { z } from 'zod';
import { listCost } from '../cost.ts';
import { defineEndpoint } from '../endpoint.ts';
import { cursorText, limitText, NEXT_PAGE, text, utcText } from '../text.ts';
import { Activity } from './activity.ts';
import { RecentTrade, Trade } from './recent-trade.ts';

/** The number of trades on a page, by default and at most. */
const TRADES_LIMIT = 500;

/** Endpoints of the trades and the activity of all markets. */
export const tradeEndpoints = {
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
