import type { PlaceOrder } from './commands.ts';
import { invalid } from './decision.ts';
import type { Rejection } from './decision.ts';
import { PRICE_UNITS_MAX, PRICE_UNITS_MIN } from './money.ts';

const QUANTITY_MAX = 500;
const NOTIONAL_UNITS_MIN = 10_000;
const NOTIONAL_UNITS_MAX = 50_000_000;
const SLIPPAGE_UNITS_MAX = 2_500;

/**
 * The fault of an order's form, or null. A fault is a field out of range (even one that would be ignored), or the lack of
 * a field that this order type and side need.
 */
export function orderFormFault(order: PlaceOrder): Rejection | null {
  if (outside(order.priceUnits, PRICE_UNITS_MIN, PRICE_UNITS_MAX)) {
    return invalid('price', 'must be 0.01 to 0.99');
  }
  if (outside(order.quantity, 1, QUANTITY_MAX)) {
    return invalid('quantity', 'must be a whole number, 1 to 500');
  }
  if (outside(order.notionalUnits, NOTIONAL_UNITS_MIN, NOTIONAL_UNITS_MAX)) {
    return invalid('notional', 'must be 1 to 5000, in steps of 0.0001');
  }
  if (outside(order.maxPriceUnits, PRICE_UNITS_MIN, PRICE_UNITS_MAX)) {
    return invalid('maxPrice', 'must be 0.01 to 0.99, in steps of 0.0001');
  }
  if (outside(order.slippageUnits, 0, SLIPPAGE_UNITS_MAX)) {
    return invalid('slippage', 'must be 0 to 0.25, in steps of 0.0001');
  }
  if (order.orderType === 'limit' && order.priceUnits === null && !order.offTick) {
    return invalid('price', 'is required for a limit order');
  }
  if (order.quantity === null) {
    if (order.side === 'sell') {
      return invalid('quantity', 'is required to sell');
    }
    if (order.notionalUnits === null) {
      return invalid('quantity', 'is required to buy, or notional');
    }
  }
  return null;
}

/** True for a given value that is no whole number of this range; NaN and the infinities are none. */
function outside(value: number | null, min: number, max: number): boolean {
  return value !== null && !(Number.isInteger(value) && value >= min && value <= max);
}
