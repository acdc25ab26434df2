import type { OrderView as ContractOrderView } from '@paper/contracts';
import type {
  CancelReason,
  OrderAmended,
  OrderPlaced,
  OrderReplaced,
  OrderStatus,
  OrderType,
  Outcome,
  Side,
  TimeInForce,
} from '@paper/exchange';
import { bool, int8, nullable, text } from '@paper/pg-bulk';
import type { RowOf } from '@paper/pg-bulk';
import { table } from './table.ts';
import type { Writable } from './table.ts';

/** The orders of the read models: their table, the row of an event, and the view of a row. */

export const ORDERS = table(
  {
    id: text(),
    market_id: text(),
    account_id: text(),
    side: text<Side>(),
    outcome: text<Outcome>(),
    order_type: text<OrderType>(),
    time_in_force: text<TimeInForce>(),
    /** The limit, or a market order's bound, in the order's own outcome's terms. */
    price_units: int8,
    notional_units: nullable(int8),
    quantity: int8,
    filled: int8,
    /** The sum of own price × shares over the order's fills: the buyer's cost or the seller's proceeds. */
    filled_cost_units: int8,
    status: text<OrderStatus>(),
    reason: nullable(text<CancelReason>()),
    created_at_ms: int8,
    created_seq: int8,
    /** The sequence of the order's end; null while it is live. */
    ended_seq: nullable(int8),
    /** The client's own name of the order. */
    client_order_id: nullable(text()),
    /** The time at which the order's rest is cancelled; null: never. */
    expires_at_ms: nullable(int8),
    post_only: bool,
  },
  ['id'],
  ['filled between 0 and quantity'],
);

/** The changes of resting orders: one row for each event that changed an order's price or total. */
export const ORDER_CHANGES = table(
  {
    order_id: text(),
    seq: int8,
    id: text(),
    account_id: text(),
    type: text<'OrderAmended' | 'OrderReplaced'>(),
    /** The limit and the total after the change, and before it. */
    price_units: int8,
    quantity: int8,
    former_price_units: int8,
    former_quantity: int8,
    /** Shares of the order that were filled before the change. */
    filled: int8,
    /** Shares that the change's own decision fills, and those that rest after that. */
    fill_quantity: int8,
    rest_quantity: int8,
    at_ms: int8,
  },
  ['order_id', 'seq'],
);

/** The reasons for which a resting order is cancelled. An incoming order is cancelled for any other. */
export const RESTING_CANCELLED: ReadonlySet<CancelReason | null> = new Set<CancelReason>([
  'user',
  'market_closed',
  'market_resolved',
  'expired',
  'dead_man_switch',
  'account_closed',
]);

export type OrderRow = Writable<RowOf<typeof ORDERS.columns>>;
export type OrderChangeRow = RowOf<typeof ORDER_CHANGES.columns>;

/**
 * An order with why it ended. `priceUnits`: the limit; of a market order the average of its fills (half up), or its
 * bound when nothing filled.
 */
export interface OrderView extends ContractOrderView {
  /** Why the order was cancelled; null where it was not. */
  readonly reason: CancelReason | null;
}

export function orderRow(event: OrderPlaced, seq: number): OrderRow {
  return {
    id: event.orderId,
    market_id: event.marketId,
    account_id: event.accountId,
    side: event.side,
    outcome: event.outcome,
    order_type: event.orderType,
    time_in_force: event.timeInForce,
    price_units: event.priceUnits,
    notional_units: event.notionalUnits,
    quantity: event.quantity,
    filled: 0,
    filled_cost_units: 0,
    status: 'open',
    reason: null,
    created_at_ms: event.at,
    created_seq: seq,
    ended_seq: null,
    client_order_id: event.clientOrderId,
    expires_at_ms: event.expiresAt,
    post_only: event.postOnly,
  };
}

export function orderChangeRow(event: OrderAmended | OrderReplaced, seq: number, id: string): OrderChangeRow {
  const { accountId, at, orderId, priceUnits, quantity, type } = event;
  const common = {
    order_id: orderId,
    seq,
    id,
    account_id: accountId,
    type,
    price_units: priceUnits,
    quantity,
    at_ms: at,
  };
  if (type === 'OrderAmended') {
    return {
      ...common,
      former_price_units: priceUnits,
      former_quantity: quantity + event.removed,
      filled: quantity - event.remaining,
      fill_quantity: 0,
      rest_quantity: event.remaining,
    };
  }
  return {
    ...common,
    former_price_units: event.formerPriceUnits,
    former_quantity: event.filledQuantity + event.formerRemaining,
    filled: event.filledQuantity,
    fill_quantity: event.fillQuantity,
    rest_quantity: event.restQuantity,
  };
}

/** The columns that an order's view is made of. */
export const ORDER_VIEW_COLUMNS = [
  'id',
  'market_id',
  'account_id',
  'side',
  'outcome',
  'order_type',
  'time_in_force',
  'price_units',
  'quantity',
  'filled',
  'filled_cost_units',
  'status',
  'reason',
  'created_at_ms',
  'ended_seq',
] as const satisfies readonly (keyof OrderRow)[];

export type ViewedOrder = Pick<OrderRow, (typeof ORDER_VIEW_COLUMNS)[number]>;

export function toOrderView(row: ViewedOrder): OrderView {
  const live = row.ended_seq === null;
  return {
    orderId: row.id,
    marketId: row.market_id,
    accountId: row.account_id,
    side: row.side,
    outcome: row.outcome,
    orderType: row.order_type,
    timeInForce: row.time_in_force,
    priceUnits: row.order_type === 'market' && row.filled > 0 ? averagePriceUnits(row) : row.price_units,
    quantity: row.quantity,
    filledQty: row.filled,
    status: row.status,
    createdAt: row.created_at_ms,
    reservedUnits: live && row.side === 'buy' ? row.price_units * (row.quantity - row.filled) : 0,
    reason: row.reason,
  };
}

/**
 * Computes the average in whole numbers, rounded half up: a quotient of floats could fall on the wrong side of a half.
 */
export function averagePriceUnits(row: Pick<OrderRow, 'filled' | 'filled_cost_units'>): number {
  const rest = row.filled_cost_units % row.filled;
  return (row.filled_cost_units - rest) / row.filled + (2 * rest >= row.filled ? 1 : 0);
}
