import { z } from 'zod';
import { listCost } from '../cost.ts';
import { defineEndpoint, withIds } from '../endpoint.ts';
import { cursorText, limitText, NEXT_PAGE, text, utcText } from '../text.ts';
import { Activity } from './activity.ts';
import { RecentTrade, Trade } from './recent-trade.ts';

const TRADES_LIMIT = 500;

const read = { tag: 'Platform', auth: 'public', conditional: true } as const;

export const tradeEndpoints = withIds({
  listRecentTrades: defineEndpoint({
    ...read,
    path: '/api/trades/recent',
    summary: 'List recent trades of all markets',
    description: `One item for each fill, in the terms of its taker, newest first. An unknown marketId returns an empty list. ${NEXT_PAGE}`,
    cost: listCost(2, 15, 50),
    query: z.object({
      marketId: text().optional().describe('Only trades of this market; left out: of all markets.'),
      from: utcText.optional().describe('Only trades at or after this time.'),
      to: utcText.optional().describe('Only trades before this time.'),
      limit: limitText(50),
      cursor: cursorText,
    }),
    answer: z.array(RecentTrade.schema),
  }),
  downloadTrades: defineEndpoint({
    ...read,
    path: '/api/trades',
    summary: 'Download trades of all markets',
    description: `Every trade in the order of the journal, oldest first, for research: read all pages, and ask for the last one again later. \`GET /api/trades/recent\` is for watching: newest first, with the names of markets. An unknown marketId returns an empty list.

\`format=csv\` returns CSV by RFC 4180: one column for each field, and a header line on each page. \`format=ndjson\` returns one trade a line. ${NEXT_PAGE}`,
    cost: listCost(2, 25, TRADES_LIMIT),
    media: ['application/json', 'text/csv', 'application/x-ndjson'],
    query: z.object({
      marketId: text().optional().describe('Only trades of this market; left out: of all markets.'),
      from: utcText.optional().describe('Only trades at or after this time.'),
      to: utcText.optional().describe('Only trades before this time.'),
      format: z
        .enum(['json', 'csv', 'ndjson'])
        .optional()
        .meta({ default: 'json', description: 'The format of the answer.' }),
      limit: limitText(TRADES_LIMIT),
      cursor: cursorText,
    }),
    answer: z.array(Trade.schema),
    line: Trade.schema,
  }),
  getActivity: defineEndpoint({
    ...read,
    path: '/api/activity',
    summary: 'Get the latest activity of the platform',
    description: 'Figures of the last 24 h, and the newest trades, signals, listings and resolutions of all markets.',
    cost: { base: 3 },
    answer: Activity.schema,
  }),
});
