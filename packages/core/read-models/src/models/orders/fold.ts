import type { OrderAmended, OrderPlaced, OrderReplaced } from '@paper/exchange/events';
import type { CancelReason } from '@paper/exchange/vocabulary';
import { AddedRows } from '../../engine/added-rows.ts';
import type { EventPosition, FoldSettings, ModelRows } from '../../engine/model.ts';
import type { Plan } from '../../engine/plan.ts';
import { model } from '../model.ts';
import { fieldsOf } from './placed-columns.ts';
import { OPTIONAL_COLUMNS, ORDER_CHANGES, ORDERS, SHOWN_COLUMNS } from './table.ts';
import type { OrderChangeRow, OrderRow } from './table.ts';

/** A batch's changes to an order that was placed earlier: amounts are added, other fields replaced. */
type OrderChange = Pick<
  OrderRow,
  'id' | 'filled' | 'filled_cost_units' | 'status' | 'reason' | 'ended_seq' | 'cancelled_key_id'
>;

/** The limit and the total of an order that was placed before the batch, as they are after the batch. */
type OrderTerms = Readonly<Pick<OrderRow, 'id' | 'price_units' | 'quantity'>>;

const IS_LIVE = 't.ended_seq is null';

export class Orders implements ModelRows {
  /** Orders that were placed in this batch and have not ended. */
  readonly placed = new Map<string, OrderRow>();
  readonly #changed = new Map<string, OrderChange>();
  readonly #changedTerms = new Map<string, OrderTerms>();
  /** Orders that this batch has placed and ended. */
  readonly #ended: AddedRows<OrderRow>;
  readonly #changes: AddedRows<OrderChangeRow>;

  constructor(settings: FoldSettings) {
    this.#ended = new AddedRows(ORDERS, settings);
    this.#changes = new AddedRows(ORDER_CHANGES, settings);
  }

  place(event: OrderPlaced, at: EventPosition): void {
    this.placed.set(event.orderId, orderRow(event, at));
  }

  /** @param notionalUnits own price × shares */
  fill(id: string, quantity: number, notionalUnits: number, remaining: number, seq: number): void {
    const order = this.#order(id);
    order.filled += quantity;
    order.filled_cost_units += notionalUnits;
    order.status = remaining === 0 ? 'filled' : 'partial';
    order.ended_seq = remaining === 0 ? seq : null;
    this.#writeEnded(order);
  }

  cancel(id: string, reason: CancelReason, { keyId, seq }: EventPosition): void {
    const order = this.#order(id);
    order.status = 'cancelled';
    order.reason = reason;
    order.ended_seq = seq;
    order.cancelled_key_id = keyId;
    this.#writeEnded(order);
  }

  change(event: OrderAmended | OrderReplaced, at: EventPosition): void {
    const row = orderChangeRow(event, at);
    const order = this.#order(event.orderId);
    order.status = row.filled === 0 ? 'open' : 'partial';
    if ('created_seq' in order) {
      order.price_units = row.price_units;
      order.quantity = row.quantity;
    } else {
      const { price_units, quantity } = row;
      this.#changedTerms.set(order.id, { id: order.id, price_units, quantity });
    }
    this.#changes.add(row);
  }

  planAdded(plan: Plan): void {
    this.#ended.planAdded(plan);
    this.#changes.planAdded(plan);
  }

  planChanged(plan: Plan): void {
    plan.insert(ORDERS, [...this.placed.values()]);
    // Changed terms come first: the filled quantity must never exceed the total, which may have grown.
    plan.change(ORDERS, [...this.#changedTerms.values()], { where: IS_LIVE });
    plan.change(ORDERS, [...this.#changed.values()], {
      set: { filled: 't.filled + r.filled', filled_cost_units: 't.filled_cost_units + r.filled_cost_units' },
      where: IS_LIVE,
    });
    this.placed.clear();
    this.#changed.clear();
    this.#changedTerms.clear();
  }

  /** Writes the row of an ended order before the batch ends, since no later event changes it. */
  #writeEnded(order: OrderRow | OrderChange): void {
    if (order.ended_seq === null || !('created_seq' in order)) return;
    this.placed.delete(order.id);
    this.#ended.add(order);
  }

  /** The order's row if this batch placed the order, else its changes. */
  #order(id: string): OrderRow | OrderChange {
    const known = this.placed.get(id) ?? this.#changed.get(id);
    if (known !== undefined) return known;
    const change: OrderChange = {
      id,
      filled: 0,
      filled_cost_units: 0,
      status: 'open',
      reason: null,
      ended_seq: null,
      cancelled_key_id: null,
    };
    this.#changed.set(id, change);
    return change;
  }
}

export const orders = model<Orders, { readonly orders: Orders }>({
  tables: [ORDERS, ORDER_CHANGES],
  create: (_rows, settings) => new Orders(settings),
  on: {
    OrderPlaced: (event, at, { orders }) => orders.place(event, at),
    OrderAmended: (event, at, { orders }) => orders.change(event, at),
    OrderReplaced: (event, at, { orders }) => orders.change(event, at),
    OrderCancelled: ({ orderId, reason }, at, { orders }) => orders.cancel(orderId, reason, at),
  },
});

const PLACED_FIELDS = fieldsOf({ ...SHOWN_COLUMNS, ...OPTIONAL_COLUMNS });

/** The row of an order that was just placed. */
export function orderRow(event: OrderPlaced, { keyId, seq }: EventPosition): OrderRow {
  const row: Omit<OrderRow, (typeof PLACED_FIELDS)[number][0]> & Record<string, unknown> = {
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
    placed_key_id: keyId,
    cancelled_key_id: null,
  };
  for (const [column, field] of PLACED_FIELDS) row[column] = event[field];
  return row as OrderRow;
}

/** The row of an amendment or replacement of an order. */
export function orderChangeRow(event: OrderAmended | OrderReplaced, { id, keyId, seq }: EventPosition): OrderChangeRow {
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
    key_id: keyId,
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
