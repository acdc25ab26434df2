import { z } from 'zod';
import { listCost } from '../cost.ts';
import { defineEndpoint, withIds } from '../endpoint.ts';
import { asOfText, cursorText, limitText, NEXT_PAGE, text } from '../text.ts';
import { Market, MARKET_FIELDS, MARKET_SORTS, marketStatus, OrderBook } from './market.ts';

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
