import { dollars, inOwnTerms, parseUnits } from '@paper/contracts/units';
import type { OrderPreviewBody } from '@paper/contracts/orders';
import type { Means } from '../../data/orders/means.ts';
import type { OrderInput } from '../../data/orders/order-calls.ts';
import { CANCEL_REASONS } from '../../data/orders/order-words.ts';
import { countedText, countText, moneyText, OUTCOME_NAMES, priceText } from '../../ui/format.ts';
import type { Book } from './ladder-rows.ts';

/** The effect of an order: the service's preview, or an estimate from the book. */
export type Effect = Pick<
  OrderPreviewBody,
  'averagePrice' | 'cost' | 'filledQty' | 'price' | 'quantity' | 'reason' | 'reserved' | 'status'
>;

const unitsOf = (value: number): number => parseUnits(value) ?? 0;

/** Estimates an order by the book alone, without regard to money, own orders and other rules. */
export function estimate(item: OrderInput, book: Book): Effect {
  const { notional, orderType, outcome, price: limit, side = 'buy', timeInForce } = item;
  const isBuy = side === 'buy';
  const levels = isBuy === (outcome === 'yes') ? book.asks : book.bids;
  const budget = notional === undefined ? Infinity : unitsOf(notional);
  const limitUnits = limit === undefined ? null : unitsOf(limit);
  const wanted =
    item.quantity ?? (limitUnits === null || orderType === 'market' ? Infinity : Math.floor(budget / limitUnits));
  let [filledQty, spent, worst] = [0, 0, 0];
  for (const level of levels) {
    const price = inOwnTerms(outcome, unitsOf(level.price));
    if (limitUnits !== null && (isBuy ? price > limitUnits : price < limitUnits)) break;
    const shares = Math.min(level.quantity, wanted - filledQty, Math.floor((budget - spent) / price));
    if (shares <= 0) break;
    [filledQty, spent, worst] = [filledQty + shares, spent + shares * price, price];
  }
  const isWhole = filledQty === wanted || (filledQty > 0 && budget - spent < worst);
  const quantity = Number.isFinite(wanted) ? wanted : filledQty + (isWhole ? 0 : 1);
  const canRest = orderType === 'limit' && timeInForce === 'GTC';
  const isKilled = timeInForce === 'FOK' && !isWhole;
  const reserved = canRest && isBuy ? (quantity - filledQty) * (limitUnits ?? 0) : 0;
  return {
    averagePrice: filledQty === 0 || isKilled ? null : dollars(Math.round(spent / filledQty)),
    cost: isKilled ? 0 : dollars(isBuy ? spent : -spent),
    filledQty: isKilled ? 0 : filledQty,
    price: limit ?? dollars(worst),
    quantity,
    reason: isWhole || canRest ? null : isKilled ? 'fok_unfillable' : filledQty > 0 ? 'ioc_remainder' : 'no_liquidity',
    reserved: dollars(reserved),
    status: isWhole ? 'filled' : canRest ? 'open' : 'cancelled',
  };
}

function restingShares({ filledQty, quantity, status }: Effect): number {
  return status === 'open' || status === 'partial' ? quantity - filledQty : 0;
}

/** The dollars that an order costs, its reservation included, or brings in. */
export function totalOf(side: 'buy' | 'sell', effect: Effect): number {
  return side === 'buy' ? effect.cost + effect.reserved : restingShares(effect) * effect.price - effect.cost;
}

/** The effect in a line: `≈ 53 shares at 0.32 · pays $53.00 if yes`. */
export function effectText({ outcome, side = 'buy' }: Pick<OrderInput, 'outcome' | 'side'>, effect: Effect): string {
  const { averagePrice, filledQty, price, quantity, reason } = effect;
  const rests = restingShares(effect);
  if (filledQty + rests === 0) return `Nothing would fill${reason === null ? '' : `: ${CANCEL_REASONS[reason]}`}.`;
  const parts = [
    ...(filledQty === 0 ? [] : [`≈ ${countedText(filledQty, 'share')} at ${priceText(averagePrice)}`]),
    ...(rests === 0
      ? []
      : [`${filledQty === 0 ? countedText(rests, 'share') : countText(rests)} would rest at ${priceText(price)}`]),
  ].join(', ');
  const all = filledQty + rests;
  const end = side === 'buy' ? `pays ${moneyText(all)} if ${outcome}` : `brings ${moneyText(totalOf(side, effect))}`;
  const left =
    reason === null
      ? ''
      : `. The other ${countText(quantity - filledQty)} would be cancelled: ${CANCEL_REASONS[reason]}`;
  return `${parts} · ${end}${left}`;
}

export function shortageText(item: OrderInput, needs: number, { free, reserved, reservedBy, shares }: Means): string {
  if (item.side !== 'sell') {
    const rest = reservedBy === 0 ? '' : `: ${moneyText(reserved)} is reserved by ${countedText(reservedBy, 'order')}`;
    return `This order needs ${moneyText(needs)}. You have ${moneyText(free)} free${rest}.`;
  }
  const { held, offered } = shares[item.outcome];
  const name = OUTCOME_NAMES[item.outcome];
  if (held === 0) {
    return `You hold no ${name} to sell. To trade against it, buy ${item.outcome === 'yes' ? 'No' : 'Yes'}.`;
  }
  const rest = offered === 0 ? '' : `: ${countText(offered)} of your ${countText(held)} are offered already`;
  return `You have ${countText(held - offered)} ${name} to sell${rest}.`;
}
