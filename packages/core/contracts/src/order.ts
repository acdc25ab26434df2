import { CANCEL_REASONS, ORDER_STATUSES, ORDER_TYPES, SIDES, TIMES_IN_FORCE } from '@paper/exchange/vocabulary';
import type {
  CancelReason,
  OrderPreview as OrderPreviewView,
  OrderStatus,
  OrderView,
} from '@paper/exchange/vocabulary';
import { z } from 'zod';
import { ERRORS } from './errors.ts';
import type { ErrorCode } from './errors.ts';
import { outcome } from './market.ts';
import { count, money, price } from './numbers.ts';
import { clientOrderIdText, text, timestamp, utcText } from './text.ts';
import { dollars, dollarsOrNull, iso, isoOrNull } from './units.ts';

export const side = z.enum(SIDES);
export const orderType = z.enum(ORDER_TYPES);
export const timeInForce = z.enum(TIMES_IN_FORCE);
export const orderStatus = z.enum(ORDER_STATUSES);

export const cancelReason = z.enum(CANCEL_REASONS).meta({
  description:
    '`user`: a request cancelled the order. `ioc_remainder`, `fok_unfillable`, `no_liquidity`: the rest did not fill at once and may not rest. `self_trade`: the next order belongs to the same fleet. `fill_limit`: the order filled the most orders that one command may. `market_closed`, `market_resolved`: the market stopped. `post_only`: it would have taken shares. `expired`: its expiresAt came. `dead_man_switch`: the switch of its account was not set again in time. `account_closed`: its account was closed.',
});

/**
 * The body of POST /api/orders; unknown properties are rejected. The endpoint's description lists the fields that each
 * type of order needs.
 */
export const CreateOrderInput = z
  .strictObject({
    marketId: text(1).meta({ description: 'The id of the market.' }),
    outcome: outcome.meta({ description: 'The outcome whose shares are bought or sold.' }),
    side: side.default('buy').meta({ description: 'Whether to buy or to sell.' }),
    orderType: orderType
      .default('limit')
      .meta({ description: 'A limit order can rest in the book; a market order never does.' }),
    timeInForce: timeInForce.default('GTC').meta({
      description:
        'GTC: what does not fill rests. IOC: what does not fill at once is cancelled. FOK: fills whole, or not at all.',
    }),
    price: price
      .optional()
      .meta({ description: "Dollars a share, in the terms of `outcome`; a multiple of the market's tickSize." }),
    quantity: z.int().min(1).max(500).optional().meta({ description: 'The number of shares.' }),
    notional: z.number().min(1).max(5000).optional().meta({ description: 'The most dollars to spend.' }),
    maxPrice: price.optional().meta({ description: 'The most dollars that a market buy pays for a share.' }),
    slippage: z.number().min(0).max(0.25).optional().meta({
      description:
        'The largest distance in dollars between the fill price of a market order and the best opposing order.',
    }),
  })
  .meta({ id: 'CreateOrderInput' });

/** An order of a batch, or of a preview: CreateOrderInput and what the order tools add. */
export const OrderItem = z
  .strictObject({
    ...CreateOrderInput.shape,
    clientOrderId: clientOrderIdText.optional().meta({
      description:
        "The client's own name of the order. It must differ from those of the account's open orders, and of the orders that ended in the last 24 hours.",
    }),
    postOnly: z.boolean().optional().meta({
      description:
        'With true the order is cancelled with the reason `post_only` if it would take shares. Only for limit orders with GTC.',
    }),
    expiresAt: utcText.optional().meta({
      description:
        'The time at which what still rests is cancelled with the reason `expired`; at most 366 days ahead. Only for limit orders with GTC.',
    }),
    accountId: text(1).optional().meta({
      description:
        "A sub-account of the caller's fleet that the order is for; the key needs master and trade. Left out: the key's own account.",
    }),
  })
  .meta({ id: 'OrderItem' });

export type OrderItemBody = z.output<typeof OrderItem>;

/** The most orders of one batch. */
export const BATCH_ORDERS = 50;

export const OrderBatchInput = z
  .strictObject({
    orders: z
      .array(z.unknown())
      .min(1)
      .max(BATCH_ORDERS)
      .meta({
        description:
          'Orders in the order in which they are decided. An item that is no valid OrderItem is refused alone, and changes nothing for the others.',
        items: { anyOf: [{ $ref: '#/components/schemas/OrderItem' }, {}] },
      }),
  })
  .meta({ id: 'OrderBatchInput' });

/** The change of an open order. */
export const AmendOrderInput = z
  .strictObject({
    price: price.optional().meta({ description: "The new limit in dollars, in the terms of the order's outcome." }),
    quantity: z
      .int()
      .min(1)
      .max(500)
      .optional()
      .meta({ description: 'The new total, with the shares that are filled already.' }),
  })
  .refine(({ price: newPrice, quantity }) => newPrice !== undefined || quantity !== undefined, {
    error: 'must have price, quantity or both',
  })
  .meta({ id: 'AmendOrderInput', minProperties: 1 });

/** The fields of an order that every answer has. */
const orderFields = {
  id: z.string().meta({ description: 'The id of the order.' }),
  marketId: z.string(),
  side,
  outcome,
  orderType,
  timeInForce,
  price: money.meta({
    description:
      'The limit of a limit order. The average fill price of a market order, or its bound if nothing filled.',
  }),
  quantity: count.meta({ description: 'The shares of the whole order.' }),
  filledQty: count.meta({ description: 'The shares that are filled.' }),
  status: orderStatus.meta({ description: 'A cancelled order may have fills: see filledQty.' }),
  createdAt: timestamp,
  reservedAmount: money.meta({ description: 'Dollars reserved for the resting part of a buy; 0 for a sell.' }),
};

export const Order = z
  .strictObject({
    ...orderFields,
    userId: z.string().meta({ description: 'The id of the account that placed the order.' }),
  })
  .meta({ id: 'Order' });

export type OrderBody = z.output<typeof Order>;

export function orderBody(view: OrderView): OrderBody {
  return { ...orderFieldsBody(view), userId: view.accountId };
}

/** An order without its owner, as the portfolio lists it. */
export function orderFieldsBody(view: OrderView): Omit<OrderBody, 'userId'> {
  return {
    id: view.orderId,
    marketId: view.marketId,
    side: view.side,
    outcome: view.outcome,
    orderType: view.orderType,
    timeInForce: view.timeInForce,
    price: dollars(view.priceUnits),
    quantity: view.quantity,
    filledQty: view.filledQty,
    status: view.status,
    createdAt: iso(view.createdAt),
    reservedAmount: dollars(view.reservedUnits),
  };
}

/** An order with what an Order does not have. */
export const OrderDetail = z
  .strictObject({
    ...Order.shape,
    clientOrderId: z.string().nullable().meta({ description: "The client's own name of the order." }),
    postOnly: z.boolean().meta({ description: 'Whether the order is cancelled instead of taking shares.' }),
    expiresAt: timestamp.nullable().meta({ description: 'The time at which what still rests is cancelled.' }),
    averagePrice: money.nullable().meta({
      description: "The average price of the fills in the terms of the order's outcome; null without a fill.",
    }),
    reason: z.union([cancelReason, z.null()]).meta({ description: 'Why the order was cancelled; null if it was not.' }),
    seq: count.meta({ description: "The journal sequence of the order's newest event." }),
  })
  .meta({ id: 'OrderDetail' });

/** An order with its client's id, how it may trade, how it filled, and why it ended. */
export interface OrderDetailView extends OrderView {
  readonly clientOrderId: string | null;
  readonly postOnly: boolean;
  readonly expiresAt: number | null;
  /** The volume-weighted price of its fills, a half unit rounded up; null without a fill. */
  readonly averagePriceUnits: number | null;
  /** Why the order was cancelled; null where it was not. */
  readonly reason: CancelReason | null;
  /** The sequence of its newest event. */
  readonly seq: number;
}

export function orderDetailBody(view: OrderDetailView): z.output<typeof OrderDetail> {
  return {
    ...orderBody(view),
    clientOrderId: view.clientOrderId,
    postOnly: view.postOnly,
    expiresAt: isoOrNull(view.expiresAt),
    averagePrice: dollarsOrNull(view.averagePriceUnits),
    reason: view.reason,
    seq: view.seq,
  };
}

/** The fields of an order, for the portfolio's orders. */
export const orderShape = orderFields;

export const OrderList = z.array(Order);

const refusedItem = z.strictObject({
  ok: z.literal(false),
  error: z.string(),
  code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]),
});

export const OrderBatch = z
  .strictObject({
    results: z
      .array(z.union([z.strictObject({ ok: z.literal(true), order: Order }), refusedItem]))
      .meta({ description: 'One result for each item, in their order.' }),
  })
  .meta({ id: 'OrderBatch' });

export type OrderResultBody = z.output<typeof OrderBatch>['results'][number];

export const CancelledOrders = z
  .strictObject({
    cancelled: count.meta({ description: 'The number of orders that were cancelled.' }),
    orderIds: z.array(z.string()).meta({ description: 'Their ids, in the order in which the orders were accepted.' }),
  })
  .meta({ id: 'CancelledOrders' });

/** What an order would do now. */
export const OrderPreview = z
  .strictObject({
    status: orderStatus,
    quantity: count,
    price: money,
    filledQty: count,
    averagePrice: money.nullable().meta({ description: 'The average price of the fills; null without a fill.' }),
    cost: money.meta({ description: 'What the fills cost in dollars; negative for the proceeds of a sale.' }),
    reserved: money.meta({ description: 'Dollars that the resting part would reserve.' }),
    fills: z
      .array(z.strictObject({ price: money, quantity: count }))
      .meta({ description: 'The fills by price level, in their order.' }),
    reason: cancelReason.nullable().meta({ description: 'Why a part would be cancelled; null if none would.' }),
    cashAfter: money,
    freeCashAfter: money,
    yesSharesAfter: count,
    noSharesAfter: count,
    seq: count.meta({ description: 'The sequence of the journal that the preview is true at.' }),
  })
  .meta({ id: 'OrderPreview' });

export function orderPreviewBody(view: OrderPreviewView, seq: number): z.output<typeof OrderPreview> {
  return {
    status: view.status,
    quantity: view.quantity,
    price: dollars(view.priceUnits),
    filledQty: view.filledQty,
    averagePrice: dollarsOrNull(view.averageUnits),
    cost: dollars(view.costUnits),
    reserved: dollars(view.reservedUnits),
    fills: view.fills.map(({ priceUnits, quantity }) => ({ price: dollars(priceUnits), quantity })),
    reason: view.reason,
    cashAfter: dollars(view.cashAfterUnits),
    freeCashAfter: dollars(view.freeCashAfterUnits),
    yesSharesAfter: view.yesSharesAfter,
    noSharesAfter: view.noSharesAfter,
    seq,
  };
}

export const Done = z.strictObject({ ok: z.boolean() });

export const OrderHistoryEntry = z
  .strictObject({
    seq: count.meta({
      description: 'The journal sequence of the event. `GET /api/journal?from=` shows the whole event.',
    }),
    id: z.string().meta({ description: 'The id of the event; for a fill also the id of the trade.' }),
    type: z.enum(['OrderPlaced', 'OrderAmended', 'OrderReplaced', 'OrderFilled', 'OrderCancelled']),
    reason: z.union([z.enum(['placed', 'amended', 'replaced', 'taker', 'maker']), cancelReason]).meta({
      description:
        '`placed`: a request placed the order. `amended`: a request lowered the quantity, and the order kept its place in the queue. `replaced`: a request changed the price or the quantity, and the order entered the book again. `taker`: the order met a resting one. `maker`: the order rested and was met. Any other value: why the rest of the order was cancelled.',
    }),
    quantity: count.meta({
      description:
        'The shares that this event placed, filled or cancelled; for `amended` and `replaced` the new total of the order.',
    }),
    price: money.meta({
      description:
        "Dollars a share, in the terms of the order's outcome: the price of a fill, else the limit, or the bound of a market order.",
    }),
    cash: money.meta({ description: 'Dollars that the account received by this event; negative if it paid.' }),
    filledQty: count.meta({ description: 'The shares filled so far, including this event.' }),
    status: orderStatus.meta({ description: 'The status of the order after this event.' }),
    reservedAmount: money.meta({ description: 'Dollars reserved for the order after this event.' }),
    createdAt: timestamp,
  })
  .meta({ id: 'OrderHistoryEntry' });

export const OrderHistory = z
  .strictObject({
    order: Order.meta({ description: 'The current state of the order.' }),
    history: z.array(OrderHistoryEntry),
  })
  .meta({ id: 'OrderHistory' });

export type OrderHistoryBody = z.output<typeof OrderHistory>;

/** An event of an order, in units and milliseconds. */
export interface OrderHistoryEntryView {
  readonly seq: number;
  readonly id: string;
  readonly type: z.output<typeof OrderHistoryEntry>['type'];
  readonly reason: z.output<typeof OrderHistoryEntry>['reason'];
  readonly quantity: number;
  readonly priceUnits: number;
  readonly cashUnits: number;
  readonly filledQty: number;
  readonly status: OrderStatus;
  readonly reservedUnits: number;
  readonly at: number;
}

export function orderHistoryBody(order: OrderView, history: readonly OrderHistoryEntryView[]): OrderHistoryBody {
  return {
    order: orderBody(order),
    history: history.map((entry) => ({
      seq: entry.seq,
      id: entry.id,
      type: entry.type,
      reason: entry.reason,
      quantity: entry.quantity,
      price: dollars(entry.priceUnits),
      cash: dollars(entry.cashUnits),
      filledQty: entry.filledQty,
      status: entry.status,
      reservedAmount: dollars(entry.reservedUnits),
      createdAt: iso(entry.at),
    })),
  };
}
