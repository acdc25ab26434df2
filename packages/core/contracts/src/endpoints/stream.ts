import { z } from 'zod';
import { AccountEvent } from '../account-event.ts';
import { defineEndpoint } from '../endpoint.ts';
import { BookDelta } from '../book-delta.ts';
import { OrderBook } from '../market.ts';
import { Pulse } from '../pulse.ts';
import { RecentTrade } from '../recent-trade.ts';
import { marketIdsText, text } from '../text.ts';

/** Streams of server-sent events. */
export const streamEndpoints = {
  streamMarkets: defineEndpoint({
    id: 'streamMarkets',
    method: 'get',
    path: '/api/stream',
    tag: 'Streams',
    summary: 'Stream market prices every 2 seconds',
    description:
      'Server-sent `message` events; `data` is one Pulse as JSON, and `id` is its journal sequence. The first pulse comes at once, then one every 2 seconds. Each pulse is complete, so `Last-Event-ID` is accepted and nothing is sent again. `marketId` selects one market, and `marketIds` exactly those markets, in this order; an unknown id is 404. A client that does not read is disconnected. If too many clients are connected, the answer is 503.',
    auth: 'public',
    kind: 'read',
    cost: { base: 10 },
    streams: true,
    query: z.object({
      marketId: text(1).optional().meta({ description: 'The market to stream; left out: the 50 most active markets.' }),
      marketIds: marketIdsText.optional().meta({
        examples: ['apple-services-record-2027,costco-membership-fee-2028'],
        description:
          'The markets to stream: up to 100 ids with commas between. An id that is given again counts once. Not together with `marketId`.',
      }),
    }),
    answer: Pulse.schema,
    errors: ['validation_failed', 'market_not_found'],
  }),
  streamOrderBook: defineEndpoint({
    id: 'streamOrderBook',
    method: 'get',
    path: '/api/stream/orderbook/{marketId}',
    tag: 'Streams',
    summary: "Stream every change of a market's order book",
    description:
      'Server-sent events. The first is a `snapshot`: the fields of `GET /api/orderbook/{marketId}`, with every level. Then each decision gives a `delta` for each level that it changed, with the quantity that rests there now, followed by a `trade` for each of its fills, as in `GET /api/trades/recent`. Each decision comes once, in order; nothing is left out. Snapshot and deltas, cut to the best 200 levels a side, add up to what `GET` shows at that sequence (`asOfSeq`).\n\n`id` is the journal sequence; only the last event of a decision has one, and every `delta` names it as `seq`. `Last-Event-ID` resumes where the changes since then are still in memory; else the stream begins with a new snapshot, which replaces the book. A settled market gives an empty snapshot and nothing more.\n\nA comment comes every 15 seconds. A client that does not read is disconnected. If too many clients are connected, the answer is 503.',
    auth: 'public',
    kind: 'read',
    cost: { base: 10 },
    streams: true,
    params: z.object({ marketId: text(1).meta({ description: 'The id of the market.' }) }),
    answer: z.union([OrderBook, BookDelta.schema, RecentTrade.schema]),
    errors: ['validation_failed', 'market_not_found'],
  }),
  streamAccount: defineEndpoint({
    id: 'streamAccount',
    method: 'get',
    path: '/api/stream/account',
    tag: 'Streams',
    summary: "Stream the account's orders, fills, settlements and cash",
    description:
      'Server-sent `message` events in journal order, each sent as soon as reads show it. `data` is one AccountEvent as JSON, and `id` is its journal sequence. Each sequence is sent once; where it has two messages, only the last has the `id`.\n\nA placed or changed order is an `order` message. Each of its fills is a `fill` message; the last fill carries the filled order. A cancelled order is an `order` message with a reason. A settled position is a `settled` message. Whatever changes the cash of an account (a fill, a settlement, a merge) has a `cash` message, before its other message.\n\nWith `fleet=true` the stream has the events of the primary and of all its sub-accounts, also of those that are opened later. That needs a key of a primary account with master and trade.\n\nWithout `Last-Event-ID` the stream starts now. With it, the stream first sends every later event of the account, then continues live; nothing is missing and nothing comes twice. The value must be a sequence that the journal has reached, else the answer is 400.\n\nA comment comes every 15 seconds. The stream ends when the key is revoked. A client that does not read is disconnected, and resumes with `Last-Event-ID`.\n\nAn account can have 20 streams, 5 of which may resume from more than 1,000 sequences behind; more are 429 with Retry-After. Resuming accounts take turns, so comments can come before missed events. If too many streams are open in all, the answer is 503 with Retry-After.',
    auth: 'key',
    permission: 'view',
    kind: 'read',
    cost: { base: 20 },
    streams: true,
    query: z.object({
      fleet: z.literal('true').optional().meta({ description: 'With true also the events of the sub-accounts.' }),
    }),
    answer: AccountEvent,
    errors: ['validation_failed', 'forbidden', 'primary_account_required'],
  }),
};
