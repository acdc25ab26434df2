import { z } from 'zod';
import { listCost } from '../cost.ts';
import { defineEndpoint, withIds } from '../endpoint.ts';
import { asOfText, cursorText, limitText, marketIdsText, NEXT_PAGE, text, utcText } from '../text.ts';
import { Activity } from './activity.ts';
import { BookDelta } from './book-delta.ts';
import { CANDLE_LIMIT, CANDLE_LIMIT_MAX, candlePeriodText, Candles } from './candle.ts';
import { Market, MARKET_FIELDS, MARKET_SORTS, marketStatus, OrderBook } from './market.ts';
import { Moments } from './moment.ts';
import { Pulse } from './pulse.ts';
import { RecentTrade, Trade } from './recent-trade.ts';

const read = { tag: 'Markets', auth: 'public', conditional: true } as const;

export const marketEndpoints = withIds({
  listMarkets: defineEndpoint({
    ...read,
    path: '/api/markets',
    summary: 'List and search markets',
    description: `A market has to match every given filter. An unknown sector or company returns an empty list.

The orders, by \`sort\`:

- \`newest\` (the default): the newest listing first.
- \`activity\`: the most shares traded in the last 24 h first.
- \`movement\`: the largest change of the probability in the last 24 h first, up or down (the size of the \`snapshotDelta\` of \`GET /api/markets/signals\`; of a younger market the change since its prior).
- \`closing\`: the earliest \`closesAt\` first.

Equal markets are in the order of their ids. Further pages of \`activity\` and \`movement\` keep to the minute in which the first page was read, so trades of later minutes move no market from one page to another. ${NEXT_PAGE}`,
    cost: listCost(1, 50, 50),
    query: z.object({
      status: marketStatus.default('active').describe('The status of the markets to list.'),
      sector: text().optional().describe('The sector of the markets to list; left out: all.'),
      companySlug: text().optional().describe('The company of the markets to list; left out: all.'),
      q: text(0, 100)
        .optional()
        .describe(
          'A text that the title, the ticker or the company has to contain, in any case. `%`, `_` and `*` stand for themselves. Where none contains it, and the database has pg_trgm, those are listed that have words like it, so a typo finds.',
        ),
      sort: z.enum(MARKET_SORTS).optional().describe('The order of the list; left out: `newest`.'),
      fields: z
        .enum(MARKET_FIELDS)
        .optional()
        .describe('What to add to each market: `trend` adds `change24h` and `spark`; left out: nothing.'),
      limit: limitText(50),
      cursor: cursorText,
    }),
    answer: z.array(Market.schema),
  }),
  getMarket: defineEndpoint({
    ...read,
    path: '/api/markets/{id}',
    summary: 'Get one market',
    description: 'The market as of the journal sequence in X-Journal-Seq.',
    params: z.object({ id: text(1).describe('The id of the market.') }),
    answer: Market.schema,
    errors: ['market_not_found'],
  }),
  getOrderBook: defineEndpoint({
    ...read,
    path: '/api/orderbook/{marketId}',
    summary: "Get a market's order book",
    description:
      'A market has one book, shown in YES terms and in NO terms. Buying YES at p is a YES bid at p, and selling YES is an ask at p. Buying NO at q is a YES ask at 1 − q, and selling NO is a bid at 1 − q. Orders match by price, then by time of acceptance; a trade happens at the price of the resting order. Levels are sorted best first, up to 200 a side. Only a past book (`asOfSeq`) needs a key. It is 404 `market_not_found` if the market was not listed yet at that sequence.',
    keyedBy: 'asOfSeq',
    cost: { base: 1, asOfSeq: 10 },
    params: z.object({ marketId: text(1).describe('The id of the market.') }),
    query: z.object({ asOfSeq: asOfText }),
    answer: OrderBook,
    errors: ['market_not_found'],
  }),
});

export const marketHistoryEndpoints = withIds({
  getMarketCandles: defineEndpoint({
    ...read,
    path: '/api/markets/{id}/candles',
    summary: "Get a market's candles",
    description: `The YES price of the market's trades, one item for each period, oldest first: from the first trade on, up to the period of the exchange's newest event, which is still under way, or to the market's settlement. Periods begin at multiples of their length since 1970 UTC. A period without a trade has volume 0, and the close before it in all of its prices. A merge of shares into cash is no trade. ${NEXT_PAGE}`,
    cost: listCost(1, 125, CANDLE_LIMIT, CANDLE_LIMIT_MAX),
    params: z.object({ id: text(1).describe('The id of the market.') }),
    query: z.object({
      period: candlePeriodText,
      from: utcText.optional().describe('Only candles that start at or after this time.'),
      to: utcText.optional().describe('Only candles that start before this time.'),
      limit: limitText(CANDLE_LIMIT, CANDLE_LIMIT_MAX),
      cursor: cursorText,
    }),
    answer: Candles,
    errors: ['market_not_found'],
  }),
  listMoments: defineEndpoint({
    ...read,
    path: '/api/markets/{id}/moments',
    summary: "List moments of a market's history",
    description:
      'The steps of a time slider: the probability just after each event of the market, oldest first, with the sequence at which books and portfolios can be read (`asOfSeq`). Where there are more events than `points`, they are thinned evenly by their number; the first and the last one of the range stay (of a single point, the last).',
    cost: { base: 8 },
    params: z.object({ id: text(1).describe('The id of the market.') }),
    query: z.object({
      from: utcText.optional().describe('Only events at or after this time.'),
      to: utcText.optional().describe('Only events before this time.'),
      points: limitText(100).describe('The largest number of moments; more than 500 is taken as 500.'),
    }),
    answer: Moments.schema,
    errors: ['market_not_found'],
  }),
});

const stream = { tag: 'Streams', auth: 'public', cost: { base: 10 }, streams: true } as const;

export const marketStreamEndpoints = withIds({
  streamMarkets: defineEndpoint({
    ...stream,
    path: '/api/stream',
    summary: 'Stream market prices every 2 seconds',
    description:
      'Server-sent `message` events; `data` is one Pulse as JSON, and `id` is its journal sequence. The first pulse comes at once, then one every 2 seconds. Each pulse is complete, so `Last-Event-ID` is accepted and nothing is sent again. `marketId` selects one market, and `marketIds` exactly those markets, in this order; an unknown id is 404. A client that does not read is disconnected. If too many clients are connected, the answer is 503.',
    query: z.object({
      marketId: text(1).optional().describe('The market to stream; left out: the 50 most active markets.'),
      marketIds: marketIdsText.optional().meta({
        examples: ['apple-services-record-2027,costco-membership-fee-2028'],
        description:
          'The markets to stream: up to 100 ids with commas between. An id that is given again counts once. Not together with `marketId`.',
      }),
    }),
    answer: Pulse.schema,
    errors: ['market_not_found'],
  }),
  streamOrderBook: defineEndpoint({
    ...stream,
    path: '/api/stream/orderbook/{marketId}',
    summary: "Stream every change of a market's order book",
    description:
      'Server-sent events. The first is a `snapshot`: the fields of `GET /api/orderbook/{marketId}`, with every level. Then each decision gives a `delta` for each level that it changed, with the quantity that rests there now, followed by a `trade` for each of its fills, as in `GET /api/trades/recent`. Each decision comes once, in order; nothing is left out. Snapshot and deltas, cut to the best 200 levels a side, add up to what `GET` shows at that sequence (`asOfSeq`).\n\n`id` is the journal sequence; only the last event of a decision has one, and every `delta` names it as `seq`. `Last-Event-ID` resumes where the changes since then are still in memory; else the stream begins with a new snapshot, which replaces the book. A settled market gives an empty snapshot and nothing more.\n\nA comment comes every 15 seconds. A client that does not read is disconnected. If too many clients are connected, the answer is 503.',
    params: z.object({ marketId: text(1).describe('The id of the market.') }),
    answer: z.union([OrderBook, BookDelta.schema, RecentTrade.schema]),
    errors: ['market_not_found'],
  }),
});

const TRADES_LIMIT = 500;

const platform = { ...read, tag: 'Platform' } as const;

const tradeFilters = {
  marketId: text().optional().describe('Only trades of this market; left out: of all markets.'),
  from: utcText.optional().describe('Only trades at or after this time.'),
  to: utcText.optional().describe('Only trades before this time.'),
};

export const tradeEndpoints = withIds({
  listRecentTrades: defineEndpoint({
    ...platform,
    path: '/api/trades/recent',
    summary: 'List recent trades of all markets',
    description: `One item for each fill, in the terms of its taker, newest first. An unknown marketId returns an empty list. ${NEXT_PAGE}`,
    cost: listCost(2, 15, 50),
    query: z.object({
      ...tradeFilters,
      limit: limitText(50),
      cursor: cursorText,
    }),
    answer: z.array(RecentTrade.schema),
  }),
  downloadTrades: defineEndpoint({
    ...platform,
    path: '/api/trades',
    summary: 'Download trades of all markets',
    description: `Every trade in the order of the journal, oldest first, for research: read all pages, and ask for the last one again later. \`GET /api/trades/recent\` is for watching: newest first, with the names of markets. An unknown marketId returns an empty list.

\`format=csv\` returns CSV by RFC 4180: one column for each field, and a header line on each page. \`format=ndjson\` returns one trade a line. ${NEXT_PAGE}`,
    cost: listCost(2, 25, TRADES_LIMIT),
    media: ['application/json', 'text/csv', 'application/x-ndjson'],
    query: z.object({
      ...tradeFilters,
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
    ...platform,
    path: '/api/activity',
    summary: 'Get the latest activity of the platform',
    description: 'Figures of the last 24 h, and the newest trades, signals, listings and resolutions of all markets.',
    cost: { base: 3 },
    answer: Activity.schema,
  }),
});
