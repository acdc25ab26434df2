import { z } from 'zod';
import { listCost } from '../cost.ts';
import { defineEndpoint, withIds } from '../endpoint.ts';
import { cursorText, limitText, NEXT_PAGE, text } from '../text.ts';
import { Fill } from './fill.ts';
import { OrderHistory } from './order.ts';

const WHOSE_ORDER = 'The account that placed the order and its primary account can read it; any other id is 404.';

export const orderHistoryEndpoints = withIds({
  getOrderHistory: defineEndpoint({
    path: '/api/orders/{id}/history',
    tag: 'Orders',
    summary: "Get an order's history, event by event",
    description: `The events of the order, oldest first: its placing, each change and fill, and its cancellation if there was one. Each event has its reason, its journal sequence and its effect. ${WHOSE_ORDER} ${NEXT_PAGE}`,
    auth: 'key',
    permission: 'view',
    cost: listCost(5, 50, 500),
    params: z.object({ id: text(1).describe('The id of the order.') }),
    query: z.object({ limit: limitText(500), cursor: cursorText }),
    answer: OrderHistory.schema,
    errors: ['not_found'],
  }),
  listFills: defineEndpoint({
    path: '/api/fills',
    tag: 'Orders',
    summary: "List the account's fills",
    description: `One item for each trade of an order of the account, as maker or taker, newest first. An unknown marketId returns an empty list. ${NEXT_PAGE}`,
    auth: 'key',
    cost: listCost(2, 30, 50),
    query: z.object({
      marketId: text().optional().describe('Only items of this market; left out: all markets.'),
      limit: limitText(50),
      cursor: cursorText,
    }),
    answer: z.array(Fill.schema),
  }),
});
