import { z } from 'zod';
import { listCost } from '../cost.ts';
import { defineEndpoint, withIds } from '../endpoint.ts';
import { cursorText, limitText, NEXT_PAGE, text, utcText } from '../text.ts';
import { CANDLE_LIMIT, CANDLE_LIMIT_MAX, candlePeriodText, Candles } from './candle.ts';
import { Moments } from './moment.ts';

const read = { tag: 'Markets', auth: 'public', conditional: true } as const;

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
