import type { ExchangeEvent } from './events.ts';
import { SHARE_UNITS } from './money.ts';
import type { OrderStatus, OrderView } from './vocabulary.ts';

/**
 * The answer to a PlaceOrder, from its decision's events alone, so that a replay answers the same. Throws when they
 * are not the events of a PlaceOrder.
 */
export function orderAnswer(events: readonly ExchangeEvent[]): OrderView {
  const placed = events[0];
  if (placed?.type !== 'OrderPlaced') {
    throw new Error('these are not the events of a PlaceOrder');
  }
  const { fillQuantity, quantity, restQuantity } = placed;
  let notionalUnits = 0;
  for (const event of events) {
    if (event.type === 'OrderFilled') {
      const own = placed.outcome === 'yes' ? event.yesPriceUnits : SHARE_UNITS - event.yesPriceUnits;
      notionalUnits += own * event.quantity;
    }
  }
  const isAveraged = placed.orderType === 'market' && fillQuantity > 0;
  return {
    accountId: placed.accountId,
    createdAt: placed.at,
    filledQty: fillQuantity,
    marketId: placed.marketId,
    orderId: placed.orderId,
    orderType: placed.orderType,
    outcome: placed.outcome,
    priceUnits: isAveraged ? halfUp(notionalUnits, fillQuantity) : placed.priceUnits,
    quantity,
    reservedUnits: placed.side === 'buy' ? placed.priceUnits * restQuantity : 0,
    side: placed.side,
    status: status(quantity, fillQuantity, restQuantity),
    timeInForce: placed.timeInForce,
  };
}

function status(quantity: number, filled: number, rests: number): OrderStatus {
  if (filled === quantity) {
    return 'filled';
  }
  if (filled + rests < quantity) {
    return 'cancelled';
  }
  return filled === 0 ? 'open' : 'partial';
}

/** The quotient of two positive integers, a half rounded up. */
function halfUp(dividend: number, divisor: number): number {
  return Math.floor((2 * dividend + divisor) / (2 * divisor));
}
