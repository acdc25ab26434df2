import { z } from 'zod';
import { defineEndpoint, withIds } from '../endpoint.ts';
import { marketIdsText, text } from '../text.ts';
import { BookDelta } from './book-delta.ts';
import { OrderBook } from './market.ts';
import { Pulse } from './pulse.ts';
import { RecentTrade } from './recent-trade.ts';

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
