import type { CommandOf, Outcome, Side } from '../events/judged-commands.ts';
import { best, bookSide, isBid, ownerOf, yesPrice } from './state.ts';
import type { Market, Order, TwinState } from './state.ts';

interface OrderLimits {
  readonly accountId: string;
  readonly outcome: Outcome;
  readonly side: Side;
  /** In terms of the order's own outcome. */
  readonly bound: number;
  /** Infinity if only the budget limits it. */
  readonly shares: number;
  readonly budget: number;
  readonly mayRest: boolean;
  readonly fillOrKill: boolean;
  readonly postOnly: boolean;
}

export type Plan = ReturnType<typeof planOrder>;

export function orderLimits(market: Market, order: CommandOf<'PlaceOrder'>, accountId: string): OrderLimits {
  const bound = boundOf(market, order);
  const notional = order.side === 'buy' ? order.notionalUnits : null;
  const isLimit = order.orderType === 'limit';
  // A limit order by notional has a fixed number of shares; that of a market order follows from its fills.
  let shares = order.quantity ?? Infinity;
  if (isLimit && notional !== null) shares = Math.min(shares, Math.floor(notional / bound));
  return {
    accountId,
    outcome: order.outcome,
    side: order.side,
    bound,
    shares,
    budget: isLimit || notional === null ? Infinity : notional,
    mayRest: isLimit && order.timeInForce === 'GTC',
    fillOrKill: order.timeInForce === 'FOK',
    postOnly: order.postOnly,
  };
}

function boundOf(market: Market, order: CommandOf<'PlaceOrder'>): number {
  if (order.orderType === 'limit') return order.priceUnits ?? 0;
  const opposing = best(market, !isBid(order));
  const reference = opposing === null ? null : yesPrice(order.outcome, opposing);
  const slipped = reference !== null && order.slippageUnits !== null;
  if (order.side === 'buy') {
    let bound = Math.min(9_900, order.priceUnits ?? 9_900, order.maxPriceUnits ?? 9_900);
    if (slipped) bound = Math.min(bound, reference + order.slippageUnits);
    while (bound % market.tick !== 0) bound -= 1;
    return bound;
  }
  let bound = Math.max(100, order.priceUnits ?? 100);
  if (slipped) bound = Math.max(bound, reference - order.slippageUnits);
  while (bound % market.tick !== 0) bound += 1;
  return bound;
}

function walk(state: TwinState, market: Market, limits: OrderLimits) {
  const { accountId, bound, budget, outcome, shares, side } = limits;
  const fills: { readonly maker: Order; readonly shares: number }[] = [];
  let [filled, spent, worst] = [0, 0, 0];
  let stop: 'self_trade' | 'fill_limit' | null = null;
  for (const maker of bookSide(market, !isBid(limits))) {
    const price = yesPrice(outcome, yesPrice(maker.outcome, maker.price));
    const acceptable = side === 'buy' ? price <= bound : price >= bound;
    const affordable = Math.floor((budget - spent) / price);
    if (filled === shares || !acceptable || affordable === 0) break;
    if (fills.length === state.settings.fillsPerCommand) {
      stop = 'fill_limit';
      break;
    }
    if (ownerOf(state, maker.accountId) === ownerOf(state, accountId)) {
      stop = 'self_trade';
      break;
    }
    const taken = Math.min(maker.remaining, shares - filled, affordable);
    fills.push({ maker, shares: taken });
    filled += taken;
    spent += taken * price;
    worst = price;
  }
  return { fills, filled, spent, worst, stop };
}

/** Plans an order without changing anything. */
export function planOrder(state: TwinState, market: Market, limits: OrderLimits) {
  const { bound, budget, shares } = limits;
  const walked = walk(state, market, limits);
  const byBudget = shares === Infinity;
  const budgetEnded = byBudget && walked.filled > 0 && budget - walked.spent < walked.worst;
  const done = byBudget ? budgetEnded : walked.filled === shares;
  const killed = limits.fillOrKill && !done;
  const takes = limits.postOnly && walked.filled > 0;
  const { fills, filled, spent } = killed || takes ? { fills: [], filled: 0, spent: 0 } : walked;

  let quantity = shares;
  if (byBudget) quantity = budgetEnded ? filled : filled + Math.max(1, Math.floor((budget - spent) / bound));
  const left = quantity - filled;
  const rests = limits.mayRest && walked.stop === null && !takes ? left : 0;
  // The reason with which `left` is cancelled at once if it does not rest.
  let reason: string = walked.stop ?? (filled === 0 ? 'no_liquidity' : 'ioc_remainder');
  if (killed && walked.stop !== 'self_trade') reason = 'fok_unfillable';
  if (takes) reason = 'post_only';
  return { fills, filled, spent, bound, quantity, left, rests, reason };
}

/** The money for the fills and the reserve of the rest; 0 for a sale. */
export const costOf = ({ bound, rests, spent }: Plan, side: Side): number =>
  side === 'buy' ? spent + bound * rests : 0;
