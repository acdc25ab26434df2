import { z } from 'zod';
import { listCost } from '../cost.ts';
import { defineEndpoint, withIds } from '../endpoint.ts';
import { cursorText, limitText, NEXT_PAGE, text } from '../text.ts';
import { DeadManSwitch } from './dead-man-switch.ts';
import { Fill } from './fill.ts';
import {
  CreateOrderInput,
  Done,
  OPEN_ORDERS_MAX,
  OpenOrders,
  Order,
  OrderDetail,
  OrderHistory,
  orderStatus,
} from './order.ts';

const PLACE_ORDER = `Which fields an order needs:

| orderType, side | needs | bounds that also apply | ignored |
|---|---|---|---|
| limit buy | price and (quantity or notional) | both: shares = min(quantity, ⌊notional / price⌋) | maxPrice, slippage |
| limit sell | price, quantity | | notional, maxPrice, slippage |
| market buy | quantity or notional; both are caps | price, maxPrice, slippage: the tightest wins | |
| market sell | quantity | price is a floor, slippage is a floor | notional, maxPrice |

The ranges hold for every field that is present, even an ignored one. A price off the market's tick is \`invalid_tick\`. A notional, slippage or maxPrice finer than $0.0001 is \`validation_failed\`. A bound between two ticks moves to the tick that is stricter for the client.

The answer shows the order as this command left it, always with status 200. A GTC limit order is open, partial or filled. An IOC or market order is filled, or cancelled with its fills in filledQty. A FOK order is filled, or cancelled without a fill. Market orders never rest. Slippage is absolute, measured from the best opposing order; it does not apply if there is none.

A trade happens at the price of the resting order. A resting buy reserves limit × remaining shares. Selling needs free shares: to go short, buy the other outcome at 1 − price. An order stops when it meets an order of its own fleet, or after it has filled 500 resting orders. An account can have 1,000 open orders.

An order with clientOrderId, postOnly, expiresAt or accountId goes to \`POST /api/orders/batch\`, alone or with others.

An unknown market is 400 \`market_not_found\` here. With an Idempotency-Key, an accepted order is never placed twice: a repeated request returns the first answer.`;

const WHOSE_ORDER = 'The account that placed the order and its primary account can read it; any other id is 404.';

const view = { tag: 'Orders', auth: 'key', permission: 'view' } as const;
const trade = { tag: 'Orders', auth: 'key', permission: 'trade', idempotent: true } as const;

/** The refusals that new and changed orders share. */
export const TRADING_ERRORS = [
  'invalid_tick',
  'insufficient_balance',
  'insufficient_shares',
  'market_not_active',
] as const;

export const ofSubAccounts = z
  .literal('true')
  .optional()
  .meta({ examples: ['true'], description: 'With true also the orders of the sub-accounts.' });

/** The endpoints for an account's orders that the specification defines. */
export const orderEndpoints = withIds({
  listOrders: defineEndpoint({
    path: '/api/orders',
    tag: 'Orders',
    summary: "List the account's orders",
    description: `Open and partially filled orders come first, then ended orders, newest first. An unknown marketId returns an empty list. ${NEXT_PAGE}`,
    auth: 'key',
    cost: listCost(2, 30, 500),
    query: z.object({
      marketId: text().optional().describe('Only items of this market; left out: all markets.'),
      status: orderStatus.optional().describe('Only orders of this status; left out: all.'),
      accountId: text(1)
        .optional()
        .describe('A sub-account of your fleet, for a key with `master`; left out: the account of the key.'),
      limit: limitText(500),
      cursor: cursorText,
    }),
    answer: z.array(Order.schema),
    errors: ['forbidden'],
  }),
  placeOrder: defineEndpoint({
    ...trade,
    method: 'post',
    path: '/api/orders',
    summary: 'Place an order',
    description: PLACE_ORDER,
    approvedOnly: true,
    body: CreateOrderInput,
    answer: Order.schema,
    errors: [...TRADING_ERRORS, 'limit_reached', 'mandate_exceeded', 'market_not_found'],
    // An order names its market in its body, for which the specification has no 404.
    errorStatuses: { market_not_found: 400 },
  }),
  cancelOrder: defineEndpoint({
    ...trade,
    method: 'delete',
    path: '/api/orders/{id}',
    summary: 'Cancel an order',
    description:
      'Returns `{ok: true}` if the order is cancelled, now or before, and `{ok: false}` if it is filled or unknown. An order of another fleet is 403. A key with the permissions master and trade also cancels orders of sub-accounts. Orders can be cancelled while a market is paused.',
    params: z.object({ id: text(1).describe('The id of the order.') }),
    answer: Done,
  }),
  getOrder: defineEndpoint({
    ...view,
    path: '/api/orders/{id}',
    summary: 'Get an order',
    description: `The order as it is now. ${WHOSE_ORDER}`,
    params: z.object({ id: text(1).describe('The id of the order.') }),
    answer: OrderDetail.schema,
    errors: ['not_found'],
  }),
  listOpenOrders: defineEndpoint({
    ...view,
    path: '/api/orders/open',
    summary: 'List what is open',
    description: `The open and partially filled orders of the account, in the order in which they were accepted: what a bot reads after a restart. With \`fleet=true\` also those of all sub-accounts, which needs a primary's key with master and view. An unknown marketId returns an empty list. ${NEXT_PAGE}`,
    cost: listCost(2, 30, OPEN_ORDERS_MAX, OPEN_ORDERS_MAX),
    query: z.object({
      marketId: text().optional().describe('Only items of this market; left out: all markets.'),
      fleet: ofSubAccounts,
      limit: limitText(OPEN_ORDERS_MAX, OPEN_ORDERS_MAX),
      cursor: cursorText,
    }),
    answer: OpenOrders.schema,
    errors: ['forbidden', 'primary_account_required'],
  }),
  getOrderByClientId: defineEndpoint({
    ...view,
    path: '/api/orders/client/{clientOrderId}',
    summary: "Get an order by the client's own id",
    description: `The newest order with this clientOrderId, which can be used again 24 hours after its order has ended. ${WHOSE_ORDER}`,
    params: z.object({ clientOrderId: text(1).describe('The clientOrderId of the order.') }),
    answer: OrderDetail.schema,
    errors: ['not_found'],
  }),
  getDeadManSwitch: defineEndpoint({
    ...view,
    path: '/api/dead-man-switch',
    summary: 'Get the dead-man switch',
    description: "When the account's open orders are cancelled, if the switch is not set again before.",
    answer: DeadManSwitch.schema,
  }),
});

export const orderHistoryEndpoints = withIds({
  getOrderHistory: defineEndpoint({
    ...view,
    path: '/api/orders/{id}/history',
    summary: "Get an order's history, event by event",
    description: `The events of the order, oldest first: its placing, each change and fill, and its cancellation if there was one. Each event has its reason, its journal sequence and its effect. ${WHOSE_ORDER} ${NEXT_PAGE}`,
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
