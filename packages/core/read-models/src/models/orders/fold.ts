import type { OrderAmended, OrderPlaced, OrderReplaced } from '@paper/exchange';
import type { OrderChangeRow, OrderRow } from './table.ts';

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
