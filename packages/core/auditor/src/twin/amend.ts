import type { CommandOf } from '../events/judged-commands.ts';
import { mayHandle } from './accounts.ts';
import { mayOrder } from './checks.ts';
import { exceedsMandate, spend } from './mandates.ts';
import { carryOut, endsAtOnce, takesOrders } from './orders.ts';
import { costOf, planOrder } from './plan.ts';
import type { Plan } from './plan.ts';
import {
  accountOf,
  isClosed,
  emit,
  marketOf,
  refuse,
  removeOrder,
  reservedCash,
  reservedShares,
  UNCHANGED,
} from './world.ts';
import type { Key, Market, Order, Verdict, World } from './world.ts';

/** Changes the price or the total of a resting order. The twin does not hold orders that have ended. */
export function amendOrder(world: World, command: CommandOf<'AmendOrder'>, key: Key): Verdict {
  const order = world.orders.get(command.orderId);
  if (order === undefined) return { kind: 'unknown_order' };
  if (!mayHandle(world, key, order.accountId)) return refuse('forbidden');
  if (isClosed(world, order.accountId)) return refuse('forbidden');
  const quantity = command.quantity ?? order.quantity;
  if (quantity <= order.quantity - order.remaining) return refuse('validation_failed');
  const price = command.priceUnits ?? order.price;
  if (price === order.price && !command.offTick && quantity <= order.quantity) {
    return quantity === order.quantity ? UNCHANGED : lower(world, order, quantity);
  }
  if (!mayOrder(world, accountOf(world, order.accountId))) return refuse('kyc_required');
  const market = marketOf(world, order.marketId);
  if (!takesOrders(world, market)) return refuse('market_not_active');
  if (command.offTick || price % market.tick !== 0) return refuse('invalid_tick');
  return replace(world, market, order, { price, quantity }, key);
}

function lower(world: World, order: Order, quantity: number): Verdict {
  const removed = order.quantity - quantity;
  order.quantity = quantity;
  order.remaining -= removed;
  const { accountId, createdAt, marketId, orderId, outcome, price: priceUnits, remaining, side } = order;
  const unchanged = { accountId, createdAt, marketId, orderId, outcome, priceUnits, side };
  emit(world, 'OrderAmended', { ...unchanged, ...fieldsOf(world, order), quantity, remaining, removed });
  return { kind: 'accepted', events: world.emitted };
}

function fieldsOf({ rulesVersion }: World, { clientOrderId, expiresAt, filledCost, postOnly }: Order) {
  return rulesVersion < 5
    ? { clientOrderId: null, expiresAt: null, filledCostUnits: null, postOnly: null }
    : { clientOrderId, expiresAt, filledCostUnits: filledCost, postOnly };
}

interface Changed {
  readonly price: number;
  readonly quantity: number;
}

function replace(world: World, market: Market, order: Order, { price, quantity }: Changed, key: Key): Verdict {
  const { accountId, outcome, postOnly, side } = order;
  const account = accountOf(world, accountId);
  const shares = quantity - (order.quantity - order.remaining);
  const size = { bound: price, budget: Infinity, shares };
  const plan = planOrder(world, market, {
    ...size,
    accountId,
    outcome,
    side,
    postOnly,
    mayRest: true,
    fillOrKill: false,
  });
  if (exceedsMandate(world, key, { account, former: order, market, outcome, plan, side })) {
    return refuse('mandate_exceeded');
  }
  if (side === 'sell') {
    const held = market.positions.get(accountId)?.shares[outcome] ?? 0;
    const free = held - reservedShares(account, market.id, outcome) + order.remaining;
    if (free < shares) return refuse('insufficient_shares');
  } else {
    const free = account.cash - reservedCash(account) + order.price * order.remaining;
    if (costOf(plan, side) > free) return refuse('insufficient_balance');
  }
  enterAgain(world, market, order, quantity, plan, key);
  return { kind: 'accepted', events: world.emitted };
}

function enterAgain(world: World, market: Market, order: Order, quantity: number, plan: Plan, key: Key): void {
  const { accountId, createdAt, orderId, outcome, price, remaining, side } = order;
  const account = accountOf(world, accountId);
  const spentUnits = costOf(plan, side);
  removeOrder(world, order);
  spend(world, key, spentUnits);
  const announced = {
    ...fieldsOf(world, order),
    accountId,
    createdAt,
    filledQuantity: order.quantity - remaining,
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
  emit(world, 'OrderReplaced', announced, endsAtOnce(plan) ? [order] : []);
  carryOut(world, market, account, { ...order, price: plan.bound, quantity, remaining: plan.rests }, plan);
}
