import type { CancelOrder, PlaceOrder } from '../judged-commands.ts';
import {
  addOrder,
  best,
  bookSide,
  findAccount,
  findMarket,
  isBid,
  type Key,
  type Market,
  type Order,
  ownerOf,
  positionOf,
  refuse,
  removeOrder,
  reservedCash,
  reservedShares,
  emit,
  type Verdict,
  type World,
  yesPrice,
} from './world.ts';

const within = (value: number | null, low: number, high: number): boolean =>
  value === null || (Number.isInteger(value) && value >= low && value <= high);

/** Whether every field is in its range, and the fields that the kind of order needs are present. */
export function orderIsWellFormed(order: PlaceOrder): boolean {
  const ranges =
    within(order.priceUnits, 100, 9_900) &&
    within(order.quantity, 1, 500) &&
    within(order.notionalUnits, 10_000, 50_000_000) &&
    within(order.maxPriceUnits, 100, 9_900) &&
    within(order.slippageUnits, 0, 2_500);
  if (!ranges) return false;
  if (order.orderType === 'limit' && order.priceUnits === null && !order.offTick) return false;
  if (order.side === 'sell') return order.quantity !== null;
  return order.quantity !== null || order.notionalUnits !== null;
}

/** The worst price that the order accepts, in its own outcome's terms. */
function boundOf(market: Market, order: PlaceOrder): number {
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

interface Plan {
  readonly fills: { readonly maker: Order; readonly shares: number; readonly price: number }[];
  filled: number;
  spent: number;
  /** The worst price of the fills so far, in the order's own terms. */
  worst: number;
  stop: 'self_trade' | 'fill_limit' | null;
}

/** Walks the opposing side, best first, without changing it. */
function walk(world: World, market: Market, order: PlaceOrder, bound: number, shares: number, budget: number): Plan {
  const plan: Plan = { fills: [], filled: 0, spent: 0, worst: 0, stop: null };
  for (const maker of bookSide(market, !isBid(order))) {
    const price = yesPrice(order.outcome, yesPrice(maker.outcome, maker.price));
    const acceptable = order.side === 'buy' ? price <= bound : price >= bound;
    const affordable = Math.floor((budget - plan.spent) / price);
    if (plan.filled === shares || !acceptable || affordable === 0) break;
    if (plan.fills.length === world.settings.fillsPerCommand) {
      plan.stop = 'fill_limit';
      break;
    }
    if (ownerOf(world, maker.accountId) === ownerOf(world, accountOf(order))) {
      plan.stop = 'self_trade';
      break;
    }
    const taken = Math.min(maker.remaining, shares - plan.filled, affordable);
    plan.fills.push({ maker, shares: taken, price });
    plan.filled += taken;
    plan.spent += taken * price;
    plan.worst = price;
  }
  return plan;
}

function accountOf(command: { readonly by: PlaceOrder['by'] }): string {
  return command.by.kind === 'key' ? command.by.accountId : '';
}

/** Decides and applies an order whose sender, fields and Idempotency-Key have been checked. */
export function placeOrder(world: World, order: PlaceOrder): Verdict {
  const market = findMarket(world, order.marketId);
  if (market === undefined) return refuse('market_not_found');
  if (market.phase !== 'active') return refuse('market_not_active');
  const isPast = market.ordersEnd && Math.max(order.at, world.lastAt) >= market.amendable.closesAt;
  if (world.rulesVersion >= 2 && isPast) return refuse('market_not_active');
  if (order.offTick || (order.priceUnits ?? 0) % market.tick !== 0) return refuse('invalid_tick');

  const accountId = accountOf(order);
  const account = findAccount(world, accountId);
  if (account === undefined) return refuse('not_authenticated');
  const { side, outcome, orderType, timeInForce } = order;
  const bound = boundOf(market, order);
  const notional = side === 'buy' ? order.notionalUnits : null;

  // A limit order by notional has its number of shares at once; that of a market order follows from its fills.
  let shares = order.quantity ?? Infinity;
  if (orderType === 'limit' && notional !== null) shares = Math.min(shares, Math.floor(notional / bound));
  const budget = orderType === 'market' && notional !== null ? notional : Infinity;

  if (side === 'sell') {
    const held = market.positions.get(accountId)?.shares[outcome] ?? 0;
    if (held - reservedShares(account, market.id, outcome) < shares) return refuse('insufficient_shares');
  }

  let plan = walk(world, market, order, bound, shares, budget);
  const byBudget = shares === Infinity;
  const budgetEnded = byBudget && plan.filled > 0 && budget - plan.spent < plan.worst;
  const done = byBudget ? budgetEnded : plan.filled === shares;
  const kill = timeInForce === 'FOK' && !done;
  const stop = plan.stop;
  if (kill) plan = { fills: [], filled: 0, spent: 0, worst: 0, stop };

  let quantity = shares;
  if (byBudget) {
    quantity = budgetEnded ? plan.filled : plan.filled + Math.max(1, Math.floor((budget - plan.spent) / bound));
  }
  const left = quantity - plan.filled;
  const rests = orderType === 'limit' && timeInForce === 'GTC' && stop === null ? left : 0;
  if (side === 'buy' && !kill) {
    const free = account.cash - reservedCash(account);
    if (plan.spent + bound * rests > free) return refuse('insufficient_balance');
  }
  if (rests > 0 && account.orders.size >= world.settings.openOrdersPerAccount) return refuse('limit_reached');

  emit(world, 'OrderPlaced', {
    accountId,
    fillQuantity: plan.filled,
    marketId: market.id,
    notionalUnits: order.notionalUnits,
    orderId: order.orderId,
    orderType,
    outcome,
    priceUnits: bound,
    quantity,
    restQuantity: rests,
    side,
    timeInForce,
  });
  positionOf(market, accountId);
  let filled = 0;
  for (const fill of plan.fills) {
    filled += fill.shares;
    trade(world, market, order, accountId, fill.maker, fill.shares, quantity - filled);
  }
  if (rests > 0) {
    addOrder(world, market, account, {
      orderId: order.orderId,
      marketId: market.id,
      accountId,
      outcome,
      side,
      price: bound,
      remaining: rests,
    });
  } else if (left > 0) {
    const nothing = plan.filled === 0 ? 'no_liquidity' : 'ioc_remainder';
    emit(world, 'OrderCancelled', {
      accountId,
      marketId: market.id,
      orderId: order.orderId,
      outcome,
      priceUnits: bound,
      quantity: left,
      reason: stop === 'self_trade' ? stop : kill ? 'fok_unfillable' : (stop ?? nothing),
      resting: false,
      side,
    });
  }
  return { kind: 'accepted', events: world.emitted };
}

/** Applies a fill: both parties pay or get their own price, and a pair may be minted or merged. */
function trade(
  world: World,
  market: Market,
  taker: PlaceOrder,
  takerAccountId: string,
  maker: Order,
  quantity: number,
  takerRemaining: number,
): void {
  const yes = yesPrice(maker.outcome, maker.price);
  maker.remaining -= quantity;
  const kind =
    maker.side === 'buy' && taker.side === 'buy'
      ? 'mint'
      : maker.side === 'sell' && taker.side === 'sell'
        ? 'merge'
        : 'transfer';
  const makerCost = move(world, market, maker.accountId, maker, quantity, yes);
  const takerCost = move(world, market, takerAccountId, taker, quantity, yes);
  if (maker.remaining === 0) removeOrder(world, maker);
  market.lastTrade = yes;
  market.volume += quantity;
  emit(world, 'OrderFilled', {
    kind,
    makerAccountId: maker.accountId,
    makerCostUnits: makerCost,
    makerOrderId: maker.orderId,
    makerOutcome: maker.outcome,
    makerRemaining: maker.remaining,
    makerSide: maker.side,
    marketId: market.id,
    quantity,
    takerAccountId,
    takerCostUnits: takerCost,
    takerOrderId: taker.orderId,
    takerOutcome: taker.outcome,
    takerRemaining,
    takerSide: taker.side,
    yesPriceUnits: yes,
  });
}

/** Moves one party's money and shares; returns what was paid, or the cost of the shares that left. */
function move(
  world: World,
  market: Market,
  accountId: string,
  order: Pick<Order, 'side' | 'outcome'>,
  quantity: number,
  yes: number,
): number {
  const account = findAccount(world, accountId);
  if (account === undefined) throw new Error(`no account ${accountId}`);
  const position = positionOf(market, accountId);
  const { side, outcome } = order;
  const money = yesPrice(outcome, yes) * quantity;
  if (side === 'buy') {
    account.cash -= money;
    position.shares[outcome] += quantity;
    position.cost[outcome] += money;
    return money;
  }
  const cost = Number((BigInt(position.cost[outcome]) * BigInt(quantity)) / BigInt(position.shares[outcome]));
  account.cash += money;
  position.shares[outcome] -= quantity;
  position.cost[outcome] -= cost;
  return cost;
}

/** Cancels an open order of the caller or its sub-account. The twin has no orders that have ended. */
export function cancelOrder(world: World, command: CancelOrder, key: Key | null): Verdict {
  const order = world.orders.get(command.orderId);
  if (order === undefined) return { kind: 'unknown_order' };
  if (key === null) return refuse('not_authenticated');
  const primary = findAccount(world, order.accountId)?.primary;
  const ofFleet = primary === key.accountId && key.permissions.includes('master');
  if (order.accountId !== key.accountId && !ofFleet) return refuse('forbidden');
  cancelResting(world, order, 'user');
  return { kind: 'accepted', events: world.emitted };
}

/** Takes an order out of its book and emits its cancel. */
export function cancelResting(world: World, order: Order, reason: string): void {
  removeOrder(world, order);
  emit(world, 'OrderCancelled', {
    accountId: order.accountId,
    marketId: order.marketId,
    orderId: order.orderId,
    outcome: order.outcome,
    priceUnits: order.price,
    quantity: order.remaining,
    reason,
    resting: true,
    side: order.side,
  });
}
