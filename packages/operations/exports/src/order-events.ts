import type { FillSide } from '@paper/exchange';
import type { OrderCancelled, OrderFilled, PublicEvent } from '@paper/exchange/events';
import type { PublicPlaced, Sequenced } from './order-fold.ts';
import type { TableRow } from './tables.ts';

type OrderEvent = TableRow<'order_events'>;
type PublicAmended = Extract<PublicEvent, { readonly type: 'OrderAmended' }>;
type PublicReplaced = Extract<PublicEvent, { readonly type: 'OrderReplaced' }>;

/** The rows of the table `order_events`: with them the book can be rebuilt, order by order. */

export function placedRow({ event, seq }: Sequenced<PublicPlaced>): OrderEvent {
  return { ...orderOf(event, seq), ...totalOf(event), change: 'placed', resting_shares: event.restQuantity };
}

export function amendedRow({ event, seq }: Sequenced<PublicAmended>): OrderEvent {
  return { ...orderOf(event, seq), ...totalOf(event), change: 'amended', resting_shares: event.remaining };
}

export function replacedRow({ event, seq }: Sequenced<PublicReplaced>): OrderEvent {
  return { ...orderOf(event, seq), ...totalOf(event), change: 'replaced', resting_shares: event.restQuantity };
}

export function filledRow({ event, seq }: Sequenced<OrderFilled>, side: FillSide): OrderEvent {
  return {
    ...orderOf({ ...side, at: event.at, marketId: event.marketId }, seq),
    change: 'filled',
    price_units: side.priceUnits,
    quantity_shares: event.quantity,
    resting_shares: side.role === 'maker' ? side.remaining : null,
  };
}

export function cancelledRow({ event, seq }: Sequenced<OrderCancelled>): OrderEvent {
  return {
    ...orderOf(event, seq),
    ...totalOf(event),
    change: 'cancelled',
    resting_shares: 0,
    reason: event.reason,
  };
}

type OrderFields = Pick<OrderCancelled, 'accountId' | 'at' | 'marketId' | 'orderId' | 'outcome' | 'side'>;

function orderOf({ accountId, at, marketId, orderId, outcome, side }: OrderFields, seq: number) {
  return {
    seq,
    changed_at: at,
    market_id: marketId,
    order_id: orderId,
    account_id: accountId,
    side,
    outcome,
    reason: null,
  };
}

function totalOf({ priceUnits, quantity }: Pick<OrderCancelled, 'priceUnits' | 'quantity'>) {
  return { price_units: priceUnits, quantity_shares: quantity };
}
