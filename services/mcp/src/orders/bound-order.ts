import { UNITS_PER_DOLLAR } from '@paper/contracts/units';
import type { Api } from 'paper-trading-client';
import type { OrderInput } from './order-input.ts';

export type Preview = Api.OrderPreview;

/** An order whose result cannot be worse than its preview. Amounts are in dollars. */
export interface BoundOrder {
  readonly order: OrderInput;
  /** The worst price of a share: a buy pays no more, a sale gets no less. */
  readonly boundPrice: number;
  /** The most that a buy can cost, including its resting part; null for a sale. */
  readonly maxCost: number | null;
}

const NOTIONAL_MIN = 1;

/**
 * Binds an order to its preview; null if nothing would fill or rest. An order that can rest keeps its own limit and the
 * previewed quantity. Any other order gets as its limit the worst level that the preview filled at, and the filled
 * quantity; a market buy also gets the previewed cost as its budget.
 */
export function bindToPreview(order: OrderInput, preview: Preview): BoundOrder | null {
  const { maxPrice: _cap, notional: _budget, price, quantity: _asked, slippage: _slip, ...what } = order;
  const { orderType } = order;
  const isBuy = order.side === 'buy';
  if (orderType === 'limit' && order.timeInForce === 'GTC') {
    if (price === undefined || (preview.status === 'cancelled' && preview.filledQty === 0)) return null;
    const { quantity } = preview;
    const maxCost = isBuy ? times(price, quantity) : null;
    return { order: { ...what, price, quantity }, boundPrice: price, maxCost };
  }
  const quantity = preview.filledQty;
  if (quantity === 0) return null;
  const prices = preview.fills.map(({ price }) => price);
  const boundPrice = isBuy ? Math.max(...prices) : Math.min(...prices);
  if (orderType === 'limit' || !isBuy) {
    const maxCost = isBuy ? times(boundPrice, quantity) : null;
    return { order: { ...what, price: boundPrice, quantity }, boundPrice, maxCost };
  }
  const hasBudget = preview.cost >= NOTIONAL_MIN;
  return {
    order: { ...what, maxPrice: boundPrice, quantity, ...(hasBudget ? { notional: preview.cost } : {}) },
    boundPrice,
    maxCost: hasBudget ? preview.cost : times(boundPrice, quantity),
  };
}

/** The price of this many shares in dollars, without the rounding errors of binary fractions. */
function times(price: number, quantity: number): number {
  return (Math.round(price * UNITS_PER_DOLLAR) * quantity) / UNITS_PER_DOLLAR;
}
