import type { FillSide } from '@paper/exchange';
import type { OrderCancelled, OrderFilled, PublicEvent } from '@paper/exchange/events';
import type { PublicPlaced, Sequenced } from './order-fold.ts';
import type { TableRow } from './tables.ts';

type OrderEvent = TableRow<'order_events'>;
type PublicAmended = Extract<PublicEvent, { readonly type: 'OrderAmended' }>;
type PublicReplaced = Extract<PublicEvent, { readonly type: 'OrderReplaced' }>;

/** The rows of the table `order_events`: with them the book can be rebuilt, order by order. */

export function placedRow({ event, seq }: Sequenced<PublicPlaced>): OrderEvent {
  return rowOf({ event, seq }, event, 'placed', event.restQuantity);
}

export function amendedRow({ event, seq }: Sequenced<PublicAmended>): OrderEvent {
  return rowOf({ event, seq }, event, 'amended', event.remaining);
}

export function replacedRow({ event, seq }: Sequenced<PublicReplaced>): OrderEvent {
  return rowOf({ event, seq }, event, 'replaced', event.restQuantity);
}

export function filledRow({ event, seq }: Sequenced<OrderFilled>, side: FillSide): OrderEvent {
  return rowOf({ event, seq }, side, 'filled', side.role === 'maker' ? side.remaining : null);
}

export function cancelledRow({ event, seq }: Sequenced<OrderCancelled>): OrderEvent {
  return rowOf({ event, seq }, event, 'cancelled', 0, event.reason);
}

type OrderFields = Pick<OrderCancelled, 'accountId' | 'orderId' | 'outcome' | 'priceUnits' | 'side'>;

/** One literal, since spread objects took a sixth of an export's processor time. */
function rowOf(
  { event, seq }: Sequenced<Pick<OrderCancelled, 'at' | 'marketId' | 'quantity'>>,
  { accountId, orderId, outcome, priceUnits, side }: OrderFields,
  change: string,
  restingShares: number | null,
  reason: string | null = null,
): OrderEvent {
  return {
    seq,
    changed_at: event.at,
    market_id: event.marketId,
    order_id: orderId,
    account_id: accountId,
    change,
    side,
    outcome,
    price_units: priceUnits,
    quantity_shares: event.quantity,
    resting_shares: restingShares,
    reason,
  };
}
