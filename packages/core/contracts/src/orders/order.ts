import { CANCEL_REASONS, ORDER_STATUSES, ORDER_TYPES, TIMES_IN_FORCE } from '@paper/exchange/vocabulary';
import type { CancelReason } from '@paper/exchange/vocabulary';
import { z } from 'zod';
import {
  answer,
  errorCode,
  objectAt,
  list,
  namedObject,
  renamed,
  same,
  time,
  timeOrNull,
  units,
  unitsOrNull,
} from '../answer.ts';
import type { BodyOf, ViewOf } from '../answer.ts';
import { outcome, side } from '../markets/market.ts';
import { count, price } from '../numbers.ts';
import { clientOrderIdText, text, utcText } from '../text.ts';

export const orderType = z.enum(ORDER_TYPES);
export const timeInForce = z.enum(TIMES_IN_FORCE);
export const orderStatus = z.enum(ORDER_STATUSES);

/** What each reason for a cancel means: the API's documents are made from it. */
export const CANCEL_CAUSES: Readonly<Record<CancelReason, string>> = {
  user: 'a request cancelled the order',
  ioc_remainder: 'an IOC or market order filled in part, and the rest did not fill at once',
  fok_unfillable: 'a FOK order could not fill whole, so nothing of it filled',
  self_trade: 'the next order in the book belongs to the same fleet',
  no_liquidity: 'an IOC or market order filled nothing: no order in the book was within its bounds and its budget',
  fill_limit: 'the order filled the most resting orders that one command may',
  market_closed: 'the market closed while the order rested',
  market_resolved: 'the market was resolved or voided while the order rested',
  post_only: 'a post-only order would have taken shares',
  expired: 'its expiresAt came while it rested',
  dead_man_switch: 'the dead-man switch of its account was not set again in time',
  account_closed: 'the operator closed its account',
};

export const cancelReason = z
  .enum(CANCEL_REASONS)
  .describe(`Why: ${CANCEL_REASONS.map((reason) => `\`${reason}\`: ${CANCEL_CAUSES[reason]}`).join('; ')}.`);

/** The body of POST /api/orders. The endpoint's description lists the fields that each type of order needs. */
export const CreateOrderInput = z
  .strictObject(
    {
      marketId: text(1).describe('The id of the market.'),
      outcome: outcome.describe('The outcome whose shares are bought or sold.'),
      side: side.default('buy').describe('Whether to buy or to sell.'),
      orderType: orderType.default('limit').describe('A limit order can rest in the book; a market order never does.'),
      timeInForce: timeInForce
        .default('GTC')
        .describe(
          'GTC: what does not fill rests. IOC: what does not fill at once is cancelled. FOK: fills whole, or not at all.',
        ),
      price: price
        .optional()
        .describe("Dollars a share, in the terms of `outcome`; a multiple of the market's tickSize."),
      quantity: z.int().min(1).max(500).optional().describe('The number of shares.'),
      notional: z.number().min(1).max(5000).optional().describe('The most dollars to spend.'),
      maxPrice: price.optional().describe('The most dollars that a market buy pays for a share.'),
      slippage: z
        .number()
        .min(0)
        .max(0.25)
        .optional()
        .describe(
          'The largest distance in dollars between the fill price of a market order and the best opposing order.',
        ),
    },
    { error: (issue) => (issue.code === 'unrecognized_keys' ? itemOnly(issue.keys[0]) : undefined) },
  )
  .meta({ id: 'CreateOrderInput' });

/** The message about a field that only the items of a batch may have; undefined for all other fields. */
function itemOnly(field: string | undefined): string | undefined {
  if (field === undefined || !Object.hasOwn(OrderItem.shape, field)) return undefined;
  return 'is not a field of a single order: use POST /api/orders/batch';
}

/** An order of a batch, or of a preview: CreateOrderInput with the fields of the order tools. */
export const OrderItem = namedObject('OrderItem', {
  ...CreateOrderInput.shape,
  clientOrderId: clientOrderIdText
    .optional()
    .describe(
      "The client's own name of the order. It must differ from those of the account's open orders, and of the orders that ended in the last 24 hours.",
    ),
  postOnly: z
    .boolean()
    .optional()
    .describe(
      'With true the order is cancelled with the reason `post_only` if it would take shares. Only for limit orders with GTC.',
    ),
  expiresAt: utcText
    .optional()
    .describe(
      'The time at which what still rests is cancelled with the reason `expired`; at most 366 days ahead. Only for limit orders with GTC.',
    ),
  accountId: text(1)
    .optional()
    .describe(
      "A sub-account of the caller's fleet that the order is for; the key needs master and trade. Left out: the key's own account.",
    ),
});

export type OrderItemBody = z.output<typeof OrderItem>;

export const BATCH_ORDERS = 50;

export const OrderBatchInput = namedObject('OrderBatchInput', {
  orders: z
    .array(z.unknown())
    .min(1)
    .max(BATCH_ORDERS)
    .meta({
      description:
        'Orders in the order in which they are decided. An item that is no valid OrderItem is refused alone, and changes nothing for the others.',
      items: { anyOf: [{ $ref: '#/components/schemas/OrderItem' }, {}] },
    }),
});

/** The change of an open order. */
export const AmendOrderInput = z
  .strictObject({
    price: price.optional().describe("The new limit in dollars, in the terms of the order's outcome."),
    quantity: z.int().min(1).max(500).optional().describe('The new total, with the shares that are filled already.'),
  })
  .refine(({ price: newPrice, quantity }) => newPrice !== undefined || quantity !== undefined, {
    error: 'must have price, quantity or both',
  })
  .meta({ id: 'AmendOrderInput', minProperties: 1 });

/** The fields of an order without its owner, as the portfolio lists it. */
export const ownOrder = {
  id: renamed(z.string(), 'orderId', 'The id of the order.'),
  marketId: same(z.string()),
  side: same(side),
  outcome: same(outcome),
  orderType: same(orderType),
  timeInForce: same(timeInForce),
  price: units(
    'priceUnits',
    'The limit of a limit order. The average fill price of a market order, or its bound if nothing filled.',
  ),
  quantity: same(count, 'The shares of the whole order.'),
  filledQty: same(count, 'The shares that are filled.'),
  status: same(orderStatus, 'A cancelled order may have fills: see filledQty.'),
  createdAt: time('createdAt'),
  reservedAmount: units('reservedUnits', 'Dollars reserved for the resting part of a buy; 0 for a sell.'),
};

export const Order = answer('Order', {
  ...ownOrder,
  userId: renamed(z.string(), 'accountId', 'The id of the account that placed the order.'),
});

export type OrderView = ViewOf<typeof Order>;
export type OrderBody = BodyOf<typeof Order>;

/** An order with everything that its account may know. */
export const OrderDetail = answer('OrderDetail', {
  ...Order.fields,
  clientOrderId: same(z.string().nullable(), "The client's own name of the order."),
  postOnly: same(z.boolean(), 'Whether the order is cancelled instead of taking shares.'),
  expiresAt: timeOrNull('expiresAt', 'The time at which what still rests is cancelled.'),
  averagePrice: unitsOrNull(
    'averagePriceUnits',
    "The average price of the fills in the terms of the order's outcome; null without a fill.",
  ),
  reason: same(z.union([cancelReason, z.null()]), 'Why the order was cancelled; null if it was not.'),
  seq: same(count, "The journal sequence of the order's newest event."),
});

export type OrderDetailView = ViewOf<typeof OrderDetail>;
export type OrderDetailBody = BodyOf<typeof OrderDetail>;

export const OPEN_ORDERS_MAX = 1_000;

export const OpenOrders = answer('OpenOrders', {
  orders: list(
    'orders',
    OrderDetail,
    'The open and partially filled orders, in the order in which they were accepted.',
  ),
  seq: same(count, 'The sequence of the journal that the list is true at.'),
});

export type OpenOrdersBody = BodyOf<typeof OpenOrders>;

const refusedItem = z.strictObject({
  ok: z.literal(false),
  error: z.string(),
  code: errorCode,
});

export const OrderBatch = namedObject('OrderBatch', {
  results: z
    .array(z.union([z.strictObject({ ok: z.literal(true), order: OrderDetail.schema }), refusedItem]))
    .describe('One result for each item, in their order.'),
});

export type OrderResultBody = z.output<typeof OrderBatch>['results'][number];

export const CancelledOrders = namedObject('CancelledOrders', {
  cancelled: count.describe('The number of orders that were cancelled.'),
  orderIds: z.array(z.string()).describe('Their ids, in the order in which the orders were accepted.'),
});

/** The effect that an order would have now. */
export const OrderPreview = answer('OrderPreview', {
  status: same(orderStatus),
  quantity: same(count),
  price: units('priceUnits'),
  filledQty: same(count),
  averagePrice: unitsOrNull('averageUnits', 'The average price of the fills; null without a fill.'),
  cost: units('costUnits', 'What the fills cost in dollars; negative for the proceeds of a sale.'),
  reserved: units('reservedUnits', 'Dollars that the resting part would reserve.'),
  fills: list(
    'fills',
    answer(null, { price: units('priceUnits'), quantity: same(count) }),
    'The fills by price level, in their order.',
  ),
  reason: same(cancelReason.nullable(), 'Why a part would be cancelled; null if none would.'),
  cashAfter: units('cashAfterUnits'),
  freeCashAfter: units('freeCashAfterUnits'),
  yesSharesAfter: same(count),
  noSharesAfter: same(count),
  seq: same(count, 'The sequence of the journal that the preview is true at.'),
});

export type OrderPreviewBody = BodyOf<typeof OrderPreview>;

export const Done = z.strictObject({ ok: z.boolean() });

const OrderHistoryEntry = answer('OrderHistoryEntry', {
  seq: same(count, 'The journal sequence of the event. `GET /api/journal?from=` shows the whole event.'),
  id: same(z.string(), 'The id of the event; for a fill also the id of the trade.'),
  type: same(z.enum(['OrderPlaced', 'OrderAmended', 'OrderReplaced', 'OrderFilled', 'OrderCancelled'])),
  reason: same(
    z.union([z.enum(['placed', 'amended', 'replaced', 'taker', 'maker']), cancelReason]),
    '`placed`: a request placed the order. `amended`: a request lowered the quantity, and the order kept its place in the queue. `replaced`: a request changed the price or the quantity, and the order entered the book again. `taker`: the order met a resting one. `maker`: the order rested and was met. Any other value: why the rest of the order was cancelled.',
  ),
  quantity: same(
    count,
    'The shares that this event placed, filled or cancelled; for `amended` and `replaced` the new total of the order.',
  ),
  price: units(
    'priceUnits',
    "Dollars a share, in the terms of the order's outcome: the price of a fill, else the limit, or the bound of a market order.",
  ),
  cash: units('cashUnits', 'Dollars that the account received by this event; negative if it paid.'),
  filledQty: same(count, 'The shares filled so far, including this event.'),
  status: same(orderStatus, 'The status of the order after this event.'),
  reservedAmount: units('reservedUnits', 'Dollars reserved for the order after this event.'),
  keyId: same(
    z.string().nullable(),
    'The key whose request placed, changed or cancelled the order; null of a fill, and where no key asked.',
  ),
  keyName: same(z.string().nullable(), 'The name of that key; null where there is none.'),
  createdAt: time('at'),
});

export type OrderHistoryEntryView = ViewOf<typeof OrderHistoryEntry>;
export type OrderHistoryBody = BodyOf<typeof OrderHistory>;

export const OrderHistory = answer('OrderHistory', {
  order: objectAt('order', Order, 'The current state of the order.'),
  history: list('history', OrderHistoryEntry),
});
