import type { CancelOrder, PlaceOrder } from '../judged-commands.ts';
import {
  addOrder,
  best,
  bookSide,
  findAccount,
  findMarket,
  isBid,
  ownerOf,
  positionOf,
  refuse,
  removeOrder,
  reservedCash,
  reservedShares,
  emit,
  yesPrice,
} from './world.ts';
import type { Account, Key, Market, Order, Verdict, World } from './world.ts';

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

/** The limits of an order: the number of shares, the worst price, and the money that it may spend. */
interface Size {
  readonly bound: number;
  readonly shares: number;
  readonly budget: number;
}

function sizeOf(market: Market, order: PlaceOrder): Size {
  const bound = boundOf(market, order);
  const notional = order.side === 'buy' ? order.notionalUnits : null;
  const isLimit = order.orderType === 'limit';
  // A limit order by notional has its number of shares at once; that of a market order follows from its fills.
  let shares = order.quantity ?? Infinity;
  if (isLimit && notional !== null) shares = Math.min(shares, Math.floor(notional / bound));
  return { bound, shares, budget: isLimit || notional === null ? Infinity : notional };
}

interface Walk {
  readonly fills: { readonly maker: Order; readonly shares: number; readonly price: number }[];
  filled: number;
  spent: number;
  /** The worst price of the fills so far, in the order's own terms. */
  worst: number;
  stop: 'self_trade' | 'fill_limit' | null;
}

/** Walks the opposing side, best first, without changing it. */
function walk(world: World, market: Market, order: PlaceOrder, { bound, shares, budget }: Size): Walk {
  const walked: Walk = { fills: [], filled: 0, spent: 0, worst: 0, stop: null };
  for (const maker of bookSide(market, !isBid(order))) {
    const price = yesPrice(order.outcome, yesPrice(maker.outcome, maker.price));
    const acceptable = order.side === 'buy' ? price <= bound : price >= bound;
    const affordable = Math.floor((budget - walked.spent) / price);
    if (walked.filled === shares || !acceptable || affordable === 0) break;
    if (walked.fills.length === world.settings.fillsPerCommand) {
      walked.stop = 'fill_limit';
      break;
    }
    if (ownerOf(world, maker.accountId) === ownerOf(world, accountOf(order))) {
      walked.stop = 'self_trade';
      break;
    }
    const taken = Math.min(maker.remaining, shares - walked.filled, affordable);
    walked.fills.push({ maker, shares: taken, price });
    walked.filled += taken;
    walked.spent += taken * price;
    walked.worst = price;
  }
  return walked;
}

/** The outcome of an order: its fills, the quantity that rests, and the quantity that is cancelled. */
interface Plan extends Pick<Walk, 'fills' | 'filled' | 'spent' | 'stop'> {
  readonly bound: number;
  readonly quantity: number;
  readonly left: number;
  readonly rests: number;
  /** A fill-or-kill order that could not be filled. */
  readonly killed: boolean;
}

function planOf(world: World, market: Market, order: PlaceOrder, size: Size): Plan {
  const { bound, shares, budget } = size;
  const walked = walk(world, market, order, size);
  const byBudget = shares === Infinity;
  const budgetEnded = byBudget && walked.filled > 0 && budget - walked.spent < walked.worst;
  const done = byBudget ? budgetEnded : walked.filled === shares;
  const killed = order.timeInForce === 'FOK' && !done;
  const { fills, filled, spent } = killed ? { fills: [], filled: 0, spent: 0 } : walked;
  const { stop } = walked;

  let quantity = shares;
  if (byBudget) quantity = budgetEnded ? filled : filled + Math.max(1, Math.floor((budget - spent) / bound));
  const left = quantity - filled;
  const rests = order.orderType === 'limit' && order.timeInForce === 'GTC' && stop === null ? left : 0;
  return { fills, filled, spent, stop, bound, quantity, left, rests, killed };
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
  const { side, outcome } = order;
  const size = sizeOf(market, order);
  if (side === 'sell') {
    const held = market.positions.get(accountId)?.shares[outcome] ?? 0;
    if (held - reservedShares(account, market.id, outcome) < size.shares) return refuse('insufficient_shares');
  }
  const plan = planOf(world, market, order, size);
  if (side === 'buy' && !plan.killed) {
    const free = account.cash - reservedCash(account);
    if (plan.spent + plan.bound * plan.rests > free) return refuse('insufficient_balance');
  }
  if (plan.rests > 0 && account.orders.size >= world.settings.openOrdersPerAccount) return refuse('limit_reached');
  applyPlan(world, market, account, order, plan);
  return { kind: 'accepted', events: world.emitted };
}

function applyPlan(world: World, market: Market, account: Account, order: PlaceOrder, plan: Plan): void {
  const { orderId, outcome, side } = order;
  const accountId = accountOf(order);
  const marketId = market.id;
  emit(world, 'OrderPlaced', {
    accountId,
    fillQuantity: plan.filled,
    marketId,
    notionalUnits: order.notionalUnits,
    orderId,
    orderType: order.orderType,
    outcome,
    priceUnits: plan.bound,
    quantity: plan.quantity,
    restQuantity: plan.rests,
    side,
    timeInForce: order.timeInForce,
  });
  positionOf(market, accountId);
  let filled = 0;
  for (const fill of plan.fills) {
    filled += fill.shares;
    trade(world, market, order, accountId, fill.maker, fill.shares, plan.quantity - filled);
  }
  if (plan.rests > 0) {
    const resting = { orderId, marketId, accountId, outcome, side, price: plan.bound, remaining: plan.rests };
    addOrder(world, market, account, resting);
  } else if (plan.left > 0) {
    emit(world, 'OrderCancelled', {
      accountId,
      marketId,
      orderId,
      outcome,
      priceUnits: plan.bound,
      quantity: plan.left,
      reason: reasonOfRemainder(plan),
      resting: false,
      side,
    });
  }
}

/** The reason for which the unfilled rest of an order is cancelled at once. */
function reasonOfRemainder({ filled, killed, stop }: Plan) {
  if (stop === 'self_trade') return stop;
  if (killed) return 'fok_unfillable';
  return stop ?? (filled === 0 ? 'no_liquidity' : 'ioc_remainder');
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

/** Moves one party's money and shares. Returns the money paid, or the cost of the shares sold. */
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
