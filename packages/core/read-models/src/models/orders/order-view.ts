import type { AccountEventView } from '@paper/contracts/accounts';
import type { OrderDetailView, OrderView as ContractOrderView } from '@paper/contracts/orders';
import type { CancelReason } from '@paper/exchange/vocabulary';
import { fieldsIn } from './placed-columns.ts';
import { OPTIONAL_COLUMNS, ORDERS, SHOWN_COLUMNS } from './table.ts';
import type { OrderRow } from './table.ts';

/** The reasons for cancelling a resting order. All other reasons are for incoming orders. */
export const RESTING_CANCELLED: ReadonlySet<CancelReason | null> = new Set<CancelReason>([
  'user',
  'market_closed',
  'market_resolved',
  'expired',
  'dead_man_switch',
  'account_closed',
]);

/** `priceUnits` is the limit; of a market order the average of its fills (half up), or its bound if none. */
export interface OrderView extends ContractOrderView {
  /** The reason why the order was cancelled; null if it was not. */
  readonly reason: CancelReason | null;
}

const NOT_VIEWED = ['notional_units', 'created_seq', 'placed_key_id', 'cancelled_key_id'] as const;
const HIDDEN: readonly string[] = [...NOT_VIEWED, ...Object.keys(OPTIONAL_COLUMNS)];

export type ViewedOrder = Omit<OrderRow, (typeof NOT_VIEWED)[number] | keyof typeof OPTIONAL_COLUMNS>;

export const ORDER_VIEW_COLUMNS = Object.keys(ORDERS.columns).filter(
  (column): column is keyof ViewedOrder => !HIDDEN.includes(column),
);

const shownFields = fieldsIn(SHOWN_COLUMNS);
const optionalFields = fieldsIn(OPTIONAL_COLUMNS);

export function toOrderView(row: ViewedOrder): OrderView {
  const live = row.ended_seq === null;
  // V8 adds a field after a spread a hundred times slower.
  return Object.assign(shownFields(row), {
    priceUnits: row.order_type === 'market' && row.filled > 0 ? averagePriceUnits(row) : row.price_units,
    quantity: row.quantity,
    filledQty: row.filled,
    status: row.status,
    createdAt: row.created_at_ms,
    reservedUnits: live && row.side === 'buy' ? row.price_units * (row.quantity - row.filled) : 0,
    reason: row.reason,
  });
}

/** @param seq the sequence of the newest event that the row contains */
export function toOrderDetail(row: OrderRow, seq: number): OrderDetailView {
  const averagePrice = row.filled === 0 ? null : averagePriceUnits(row);
  return Object.assign(toOrderView(row), optionalFields(row), { averagePriceUnits: averagePrice, seq });
}

/** The event of an account that one of its orders is now as shown, with the reason for its cancel. */
export function orderEvent(order: OrderDetailView, reason: CancelReason | null): AccountEventView {
  return { type: 'order', seq: order.seq, accountId: order.accountId, order, reason };
}

/** In whole numbers, rounded half up: a quotient of floats could fall on the wrong side of a half. */
function averagePriceUnits(row: Pick<OrderRow, 'filled' | 'filled_cost_units'>): number {
  const rest = row.filled_cost_units % row.filled;
  return (row.filled_cost_units - rest) / row.filled + (2 * rest >= row.filled ? 1 : 0);
}
