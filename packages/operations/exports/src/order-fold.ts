import type { FillSide } from '@paper/exchange';
import type { OrderAmended, OrderCancelled, OrderFilled, OrderReplaced, PublicEvent } from '@paper/exchange/events';
import { ORDERS } from './tables.ts';
import type { TableRow } from './tables.ts';

type OrderRow = TableRow<'orders'>;
type LiveOrder = { -readonly [N in keyof OrderRow]: OrderRow[N] };

/** A placement without its private fields, which are in no table. */
export type PublicPlaced = Extract<PublicEvent, { readonly type: 'OrderPlaced' }>;

/** The columns that hold a field of the placement. */
type PlacedColumn = {
  [N in keyof OrderRow]: (typeof ORDERS)[N] extends { readonly field: infer F extends keyof PublicPlaced }
    ? PublicPlaced[F] extends OrderRow[N]
      ? N
      : never
    : never;
}[keyof OrderRow];

const PLACED_FIELDS = Object.entries(ORDERS).flatMap(([column, of]) =>
  'field' in of ? [[column, of.field] as const] : [],
);

/** Follows orders from their placement to their end. Memory contains only open orders. */
export class OrderFold {
  readonly #live = new Map<string, LiveOrder>();

  /** `onEnd` is called once with each order: when the order ends, or from `finish`. */
  constructor(private readonly onEnd: (order: OrderRow) => void) {}

  place(event: PublicPlaced, seq: number): void {
    const order: Omit<LiveOrder, PlacedColumn> & Record<string, unknown> = {
      placed_seq: seq,
      filled_shares: 0,
      filled_notional_units: 0,
      status: 'open',
      cancel_reason: null,
      amendments: 0,
      ended_seq: null,
      ended_at: null,
    };
    for (const [column, field] of PLACED_FIELDS) order[column] = event[field];
    this.#live.set(event.orderId, order as LiveOrder);
  }

  change(event: Pick<OrderAmended | OrderReplaced, 'orderId' | 'priceUnits' | 'quantity'>): void {
    const order = this.#order(event.orderId);
    order.price_units = event.priceUnits;
    order.quantity_shares = event.quantity;
    order.amendments += 1;
  }

  fill(event: OrderFilled, seq: number, { orderId, priceUnits, remaining }: FillSide): void {
    const order = this.#order(orderId);
    order.filled_shares += event.quantity;
    order.filled_notional_units += priceUnits * event.quantity;
    order.status = remaining === 0 ? 'filled' : 'partial';
    if (remaining === 0) this.#end(order, seq, event.at);
  }

  cancel(event: OrderCancelled, seq: number): void {
    const order = this.#order(event.orderId);
    order.status = 'cancelled';
    order.cancel_reason = event.reason;
    this.#end(order, seq, event.at);
  }

  /** Ends the fold with the orders that have not ended, in the order of their placement. */
  finish(): void {
    for (const order of this.#live.values()) this.onEnd(order);
    this.#live.clear();
  }

  #end(order: LiveOrder, seq: number, at: number): void {
    order.ended_seq = seq;
    order.ended_at = at;
    this.#live.delete(order.id);
    this.onEnd(order);
  }

  #order(id: string): LiveOrder {
    const order = this.#live.get(id);
    if (order === undefined) throw new RangeError(`an event names order ${id}, which is not open`);
    return order;
  }
}
