import { z } from 'zod';
import { outcome } from './market.ts';
import { count, money, price } from './numbers.ts';
import { text, timestamp } from './text.ts';
import { dollars, iso } from './units.ts';

export const side = z.enum(['buy', 'sell']);
export const orderType = z.enum(['limit', 'market']);
export const timeInForce = z.enum(['GTC', 'IOC', 'FOK']);
export const orderStatus = z.enum(['open', 'partial', 'filled', 'cancelled']);

/** POST /api/orders; unknown properties are rejected. What is needed for which type is in the endpoint's description. */
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

/** An order in units and milliseconds; the price in its own outcome's terms. */
export interface OrderView {
  readonly orderId: string;
  readonly marketId: string;
  readonly accountId: string;
  readonly side: 'buy' | 'sell';
  readonly outcome: 'yes' | 'no';
  readonly orderType: 'limit' | 'market';
  readonly timeInForce: 'GTC' | 'IOC' | 'FOK';
  readonly priceUnits: number;
  readonly quantity: number;
  readonly filledQty: number;
  readonly status: 'open' | 'partial' | 'filled' | 'cancelled';
  readonly createdAt: number;
  readonly reservedUnits: number;
}

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

/** Its shape, for the portfolio's orders. */
export const orderShape = orderFields;

export const OrderList = z.array(Order);

export const Done = z.strictObject({ ok: z.boolean() });
