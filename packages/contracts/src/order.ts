import { CANCEL_REASONS, ORDER_STATUSES, ORDER_TYPES, SIDES, TIMES_IN_FORCE } from '@paper/exchange/vocabulary';
import type { OrderStatus, OrderView } from '@paper/exchange/vocabulary';
import { z } from 'zod';
import { outcome } from './market.ts';
import { count, money, price } from './numbers.ts';
import { text, timestamp } from './text.ts';
import { dollars, iso } from './units.ts';

export const side = z.enum(SIDES);
export const orderType = z.enum(ORDER_TYPES);
export const timeInForce = z.enum(TIMES_IN_FORCE);
export const orderStatus = z.enum(ORDER_STATUSES);

export const cancelReason = z.enum(CANCEL_REASONS).meta({
  description:
    '`user`: a request cancelled the order. `ioc_remainder`, `fok_unfillable`, `no_liquidity`: the rest did not fill at once and may not rest. `self_trade`: the next order belongs to the same fleet. `fill_limit`: the order filled the most orders that one command may. `market_closed`, `market_resolved`: the market stopped.',
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

/** The fields of an order, for the portfolio's orders. */
export const orderShape = orderFields;

export const OrderList = z.array(Order);

export const Done = z.strictObject({ ok: z.boolean() });

export const OrderHistoryEntry = z
  .strictObject({
    seq: count.meta({
      description: 'The journal sequence of the event. `GET /api/journal?from=` shows the whole event.',
    }),
    id: z.string().meta({ description: 'The id of the event; for a fill also the id of the trade.' }),
    type: z.enum(['OrderPlaced', 'OrderFilled', 'OrderCancelled']),
    reason: z.union([z.enum(['placed', 'taker', 'maker']), cancelReason]).meta({
      description:
        '`placed`: a request placed the order. `taker`: the order met a resting one. `maker`: the order rested and was met. Any other value: why the rest of the order was cancelled.',
    }),
    quantity: count.meta({ description: 'The shares that this event placed, filled or cancelled.' }),
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
