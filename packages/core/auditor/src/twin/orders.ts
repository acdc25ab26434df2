import type { CommandOf } from '../events/judged-commands.ts';
import { emitCancel } from './cancels.ts';
import { refusalOf, spend } from './mandates.ts';
import { scopedName } from './memory.ts';
import { costOf, planOrder, orderLimits } from './plan.ts';
import type { Plan } from './plan.ts';
import { hasEnded } from './runs.ts';
import {
  accountOf,
  addOrder,
  isClosed,
  DAY_MS,
  decidedAt,
  getOrOpenPosition,
  refuse,
  removeOrder,
  reservedShares,
  emit,
  takeShares,
  UNCHANGED,
  yesPrice,
} from './state.ts';
import type { Account, Key, Market, Order, Verdict, TwinState } from './state.ts';

/** Whether the market is active and, from rules version 2 on, before its closing time. */
export function takesOrders(state: TwinState, market: Market): boolean {
  const isPast = market.ordersEnd && decidedAt(state) >= market.amendable.closesAt;
  return market.phase === 'active' && (state.rulesVersion < 2 || !isPast);
}

/** Decides and applies an order whose sender, fields, account and Idempotency-Key have been checked. */
export function placeOrder(state: TwinState, order: CommandOf<'PlaceOrder'>, key: Key): Verdict {
  if (order.accountId !== null && isClosed(state, order.accountId)) return refuse('forbidden');
  const at = decidedAt(state);
  if (order.expiresAt !== null && !(order.expiresAt > at && order.expiresAt <= at + 366 * DAY_MS)) {
    return refuse('validation_failed');
  }
  const market = state.markets.get(order.marketId);
  if (market === undefined) return refuse('market_not_found');
  if (!takesOrders(state, market)) return refuse('market_not_active');
  if (order.offTick || (order.priceUnits ?? 0) % market.tick !== 0) return refuse('invalid_tick');

  const account = accountOf(state, order.accountId ?? key.accountId);
  if (order.clientOrderId !== null && isTaken(state, account, order.clientOrderId)) {
    return refuse('duplicate_client_order_id');
  }
  const { side, outcome } = order;
  const limits = orderLimits(market, order, account.id);
  const plan = planOrder(state, market, limits);
  const refusal = refusalOf(state, key, { account, former: null, market, outcome, plan, side }, limits.shares);
  if (refusal !== null) return refuse(refusal);
  const { openOrdersPerAccount } = state.settings;
  if (plan.rests > 0 && account.orders.size >= openOrdersPerAccount && !account.playsTape) {
    return refuse('limit_reached');
  }
  return enter(state, market, account, order, key, plan);
}

function isTaken(state: TwinState, account: Account, clientOrderId: string): boolean {
  for (const order of account.orders) if (order.clientOrderId === clientOrderId) return true;
  return state.endedIds.ofSingles.has(scopedName(account.id, clientOrderId));
}

function enter(
  state: TwinState,
  market: Market,
  account: Account,
  order: CommandOf<'PlaceOrder'>,
  key: Key,
  plan: Plan,
): Verdict {
  const { clientOrderId, expiresAt, orderId, outcome, postOnly, side } = order;
  const isMarked = state.rulesVersion >= 3;
  const spentUnits = isMarked ? costOf(plan, side) : 0;
  if (isMarked) spend(state, key, spentUnits);
  const announced = {
    accountId: account.id,
    clientOrderId,
    expiresAt,
    fillQuantity: plan.filled,
    keyId: isMarked ? key.keyId : null,
    marketId: market.id,
    notionalUnits: order.notionalUnits,
    orderId,
    orderType: order.orderType,
    outcome,
    postOnly,
    priceUnits: plan.bound,
    quantity: plan.quantity,
    restQuantity: plan.rests,
    side,
    spentUnits,
    timeInForce: order.timeInForce,
  };
  emit(state, 'OrderPlaced', announced, endsAtOnce(plan) ? [announced] : []);
  const placed: Order = {
    orderId,
    marketId: market.id,
    accountId: account.id,
    outcome,
    side,
    price: plan.bound,
    quantity: plan.quantity,
    remaining: plan.rests,
    filledCost: 0,
    acceptedSeq: state.seq,
    createdAt: state.lastAt,
    clientOrderId,
    expiresAt,
    postOnly,
  };
  carryOut(state, market, account, placed, plan);
  return { kind: 'accepted', events: state.emitted };
}

export const endsAtOnce = ({ filled, rests }: Plan): boolean => filled + rests === 0;

/** Applies a plan after the event that announces it. `order`: as it will rest. */
export function carryOut(state: TwinState, market: Market, account: Account, order: Order, plan: Plan): void {
  getOrOpenPosition(market, account.id);
  let left = plan.filled + plan.left;
  for (const fill of plan.fills) {
    left -= fill.shares;
    const takerEnds = plan.rests === 0 && left === plan.left;
    trade(state, market, order, fill.maker, { quantity: fill.shares, takerRemaining: left, takerEnds });
  }
  if (plan.rests > 0) {
    addOrder(state, market, account, order);
  } else if (plan.left > 0) {
    emitCancel(state, order, { quantity: plan.left, reason: plan.reason, resting: false });
  }
}

interface Fill {
  readonly quantity: number;
  readonly takerRemaining: number;
  /** Whether this is the last fill of a taker that does not rest. */
  readonly takerEnds: boolean;
}

function trade(state: TwinState, market: Market, taker: Order, maker: Order, fill: Fill): void {
  const { quantity, takerEnds, takerRemaining } = fill;
  const yes = yesPrice(maker.outcome, maker.price);
  maker.remaining -= quantity;
  const kind = maker.side !== taker.side ? 'transfer' : taker.side === 'buy' ? 'mint' : 'merge';
  const makerCost = move(state, market, maker, quantity, yes);
  const takerCost = move(state, market, taker, quantity, yes);
  for (const order of [maker, taker]) order.filledCost += yesPrice(order.outcome, yes) * quantity;
  if (maker.remaining === 0) removeOrder(state, maker);
  market.lastTrade = yes;
  market.volume += quantity;
  const ended = [...(maker.remaining === 0 ? [maker] : []), ...(takerEnds ? [taker] : [])];
  const filled = {
    kind,
    makerAccountId: maker.accountId,
    makerCostUnits: makerCost,
    makerOrderId: maker.orderId,
    makerOutcome: maker.outcome,
    makerRemaining: maker.remaining,
    makerSide: maker.side,
    marketId: market.id,
    quantity,
    takerAccountId: taker.accountId,
    takerCostUnits: takerCost,
    takerOrderId: taker.orderId,
    takerOutcome: taker.outcome,
    takerRemaining,
    takerSide: taker.side,
    yesPriceUnits: yes,
  };
  emit(state, 'OrderFilled', filled, ended);
}

/** Returns the money paid, or the cost of the shares sold. */
function move(
  state: TwinState,
  market: Market,
  { accountId, outcome, side }: Pick<Order, 'accountId' | 'outcome' | 'side'>,
  quantity: number,
  yes: number,
): number {
  const account = accountOf(state, accountId);
  const position = getOrOpenPosition(market, accountId);
  const money = yesPrice(outcome, yes) * quantity;
  if (side === 'buy') {
    account.cash -= money;
    position.shares[outcome] += quantity;
    position.cost[outcome] += money;
    return money;
  }
  account.cash += money;
  return takeShares(position, outcome, quantity);
}

/** Turns pairs of free YES and NO shares of the key's account into $1 each: `quantity` of them, or all. */
export function mergeShares(state: TwinState, { marketId, quantity }: CommandOf<'MergeShares'>, key: Key): Verdict {
  const market = state.markets.get(marketId);
  if (market === undefined) return refuse('market_not_found');
  if (hasEnded(market)) return refuse('market_already_resolved');
  const account = accountOf(state, key.accountId);
  const position = market.positions.get(account.id);
  const free = (['yes', 'no'] as const).map(
    (outcome) => (position?.shares[outcome] ?? 0) - reservedShares(account, marketId, outcome),
  );
  const pairs = Math.min(...free);
  const merged = quantity ?? pairs;
  if (merged > pairs) return refuse('insufficient_shares');
  if (merged === 0 || position === undefined) return UNCHANGED;
  account.cash += 10_000 * merged;
  return emit(state, 'SharesMerged', {
    accountId: account.id,
    cashUnits: account.cash,
    marketId,
    noCostUnits: takeShares(position, 'no', merged),
    quantity: merged,
    yesCostUnits: takeShares(position, 'yes', merged),
  });
}
