import type { CommandOf } from '../events/judged-commands.ts';
import { mayHandle } from './accounts.ts';
import { mayOrder } from './checks.ts';
import { refusalOf, spend } from './mandates.ts';
import { carryOut, endsAtOnce, takesOrders } from './orders.ts';
import { costOf, planOrder } from './plan.ts';
import { accountOf, isClosed, emit, marketOf, refuse, removeOrder, UNCHANGED } from './state.ts';
import type { Key, Market, Order, Verdict, TwinState } from './state.ts';

/** Changes the price or the total of a resting order. The twin does not hold orders that have ended. */
export function amendOrder(state: TwinState, command: CommandOf<'AmendOrder'>, key: Key): Verdict {
  const order = state.orders.get(command.orderId);
  if (order === undefined) return { kind: 'unknown_order' };
  if (!mayHandle(state, key, order.accountId)) return refuse('forbidden');
  if (isClosed(state, order.accountId)) return refuse('forbidden');
  const quantity = command.quantity ?? order.quantity;
  if (quantity <= order.quantity - order.remaining) return refuse('validation_failed');
  const price = command.priceUnits ?? order.price;
  if (price === order.price && !command.offTick && quantity <= order.quantity) {
    return quantity === order.quantity ? UNCHANGED : lower(state, order, quantity);
  }
  if (!mayOrder(state, accountOf(state, order.accountId))) return refuse('kyc_required');
  const market = marketOf(state, order.marketId);
  if (!takesOrders(state, market)) return refuse('market_not_active');
  if (command.offTick || price % market.tick !== 0) return refuse('invalid_tick');
  return replace(state, market, order, { price, quantity }, key);
}

function lower(state: TwinState, order: Order, quantity: number): Verdict {
  const removed = order.quantity - quantity;
  order.quantity = quantity;
  order.remaining -= removed;
  const { accountId, createdAt, marketId, orderId, outcome, price: priceUnits, remaining, side } = order;
  const unchanged = { accountId, createdAt, marketId, orderId, outcome, priceUnits, side };
  return emit(state, 'OrderAmended', { ...unchanged, ...fieldsOf(state, order), quantity, remaining, removed });
}

function fieldsOf({ rulesVersion }: TwinState, { clientOrderId, expiresAt, filledCost, postOnly }: Order) {
  return rulesVersion < 5
    ? { clientOrderId: null, expiresAt: null, filledCostUnits: null, postOnly: null }
    : { clientOrderId, expiresAt, filledCostUnits: filledCost, postOnly };
}

function replace(
  state: TwinState,
  market: Market,
  order: Order,
  changed: Pick<Order, 'price' | 'quantity'>,
  key: Key,
): Verdict {
  const { accountId, createdAt, orderId, outcome, postOnly, price, remaining, side } = order;
  const { quantity } = changed;
  const account = accountOf(state, accountId);
  const filledQuantity = order.quantity - remaining;
  const shares = quantity - filledQuantity;
  const limits = { bound: changed.price, budget: Infinity, shares, mayRest: true, fillOrKill: false, postOnly };
  const plan = planOrder(state, market, { ...limits, accountId, outcome, side });
  const refusal = refusalOf(state, key, { account, former: order, market, outcome, plan, side }, shares);
  if (refusal !== null) return refuse(refusal);

  const spentUnits = costOf(plan, side);
  removeOrder(state, order);
  spend(state, key, spentUnits);
  const announced = {
    ...fieldsOf(state, order),
    accountId,
    createdAt,
    filledQuantity,
    fillQuantity: plan.filled,
    formerPriceUnits: price,
    formerRemaining: remaining,
    keyId: key.keyId,
    marketId: market.id,
    orderId,
    outcome,
    priceUnits: plan.bound,
    quantity,
    restQuantity: plan.rests,
    side,
    spentUnits,
  };
  emit(state, 'OrderReplaced', announced, endsAtOnce(plan) ? [order] : []);
  carryOut(state, market, account, { ...order, price: plan.bound, quantity, remaining: plan.rests }, plan);
  return { kind: 'accepted', events: state.emitted };
}
