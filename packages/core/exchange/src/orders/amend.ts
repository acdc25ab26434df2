import type { CommandOf } from '../commands.ts';
import { ACCOUNT_CLOSED, FORBIDDEN, UNCHANGED, UNKNOWN_ORDER, accept, invalid } from '../decision.ts';
import type { Decision, Rejection } from '../decision.ts';
import { NOT_REPEATED } from '../events.ts';
import type { ExchangeEvent, OrderAmended, OrderReplaced } from '../events.ts';
import { sortKeys } from '../fields.ts';
import { isOutside, PRICE_UNITS_MAX, PRICE_UNITS_MIN } from '../money.ts';
import type { Account } from '../state/account.ts';
import type { Order } from '../state/book.ts';
import { replayOf } from '../state/idempotency.ts';
import { awaitsApproval, decisionTime, findMarket, tradingKey } from '../state/state.ts';
import type { State } from '../state/state.ts';
import { mayManage } from './cancel.ts';
import { KYC_REQUIRED, quantityFault } from './place.ts';
import { GTC_LIMIT, marketFault, planFault, planOrder, pushPlan } from './plan.ts';
import type { Plan, OrderTerms } from './plan.ts';

/**
 * Changes the price or the total of a resting order. A lower total at the same price keeps its place in the queue, in
 * any phase of the market. Any other change lets the order enter the book again at the end of the queue, under the
 * rules of a new order for its unfilled shares.
 */
export function amendOrder(state: State, command: CommandOf<'AmendOrder'>): Decision {
  const key = tradingKey(state, command.by);
  if ('kind' in key) return key;
  const refusal = amendFormFault(command, key.account) ?? replayOf(state.idempotency, command);
  if (refusal !== null) return refusal;
  const order = state.orders.get(command.orderId);
  if (order === undefined) return UNKNOWN_ORDER;
  const { account } = order.position;
  if (!mayManage(key, account)) return FORBIDDEN;
  if (account.closure !== null) return ACCOUNT_CLOSED;
  const filled = order.quantity - order.remaining;
  const quantity = command.quantity ?? order.quantity;
  if (quantity <= filled) return invalid('quantity', `must be greater than the ${filled} shares that are filled`);
  const at = decisionTime(state, command.at);
  const priceUnits = command.priceUnits ?? order.priceUnits;
  if (!command.offTick && priceUnits === order.priceUnits && quantity <= order.quantity) {
    return quantity === order.quantity ? UNCHANGED : accept([amended(state, order, quantity, at)]);
  }
  const market = findMarket(state, order.position.marketId);
  if (market === null) throw new Error(`order ${order.id} rests in no market`);
  if (awaitsApproval(state, account)) return KYC_REQUIRED;
  const terms = termsOf(order, command.offTick, priceUnits, quantity - filled);
  const fault = marketFault(state, market, terms, command.at);
  if (fault !== null) return fault;
  const plan = planOrder(state, terms, account, market);
  const planRefusal = planFault(state, plan, terms, key, account, market, order, at);
  if (planRefusal !== null) return planRefusal;
  const replaced = orderReplaced(state, order, plan, quantity, key.id, at);
  const events: ExchangeEvent[] = [replaced];
  pushPlan(events, plan, replaced, market.positionOf(account));
  return accept(events);
}

function amendFormFault(command: CommandOf<'AmendOrder'>, sender: Account): Rejection | null {
  if (isOutside(command.priceUnits, PRICE_UNITS_MIN, PRICE_UNITS_MAX)) return invalid('price', 'must be 0.01 to 0.99');
  const quantityRefusal = quantityFault(command.quantity, sender);
  if (quantityRefusal !== null) return quantityRefusal;
  if (command.priceUnits === null && command.quantity === null && !command.offTick) {
    return invalid('price', 'or quantity is required');
  }
  return null;
}

/** The terms of the amended order, as of a new order for the shares that are not filled. */
function termsOf({ given, outcome, side }: Order, offTick: boolean, priceUnits: number, quantity: number): OrderTerms {
  return { offTick, outcome, priceUnits, quantity, side, ...GTC_LIMIT, ...NO_BOUNDS, ...given };
}

/** What only market orders and budgets have. */
const NO_BOUNDS = { maxPriceUnits: null, notionalUnits: null, slippageUnits: null };

function amended(state: State, order: Order, quantity: number, at: number): OrderAmended {
  const removed = order.quantity - quantity;
  return sortKeys({
    priceUnits: order.priceUnits,
    quantity,
    remaining: order.remaining - removed,
    removed,
    type: 'OrderAmended' as const,
    ...changedOrder(state, order, at),
  });
}

function orderReplaced(
  state: State,
  order: Order,
  plan: Plan,
  quantity: number,
  keyId: string,
  at: number,
): OrderReplaced {
  return sortKeys({
    fillQuantity: plan.fillQuantity,
    filledQuantity: order.quantity - order.remaining,
    formerPriceUnits: order.priceUnits,
    formerRemaining: order.remaining,
    keyId,
    priceUnits: plan.boundUnits,
    quantity,
    restQuantity: plan.restQuantity,
    spentUnits: plan.neededUnits,
    type: 'OrderReplaced' as const,
    ...changedOrder(state, order, at),
  });
}

/** The fields of the order that an amendment does not change. OrderAmended and OrderReplaced repeat them. */
function changedOrder(
  state: State,
  { createdAt, filledCostUnits, given, id, outcome, position, side }: Order,
  at: number,
) {
  return {
    accountId: position.account.id,
    at,
    createdAt,
    marketId: position.marketId,
    orderId: id,
    outcome,
    side,
    ...(state.rulesVersion >= 5 ? { filledCostUnits, ...given } : NOT_REPEATED),
  };
}
