import type { CommandOf } from '../events/judged-commands.ts';
import { exceedsMandate, spend } from './mandates.ts';
import { costOf, planOrder, orderLimits } from './plan.ts';
import type { Plan } from './plan.ts';
import {
  accountOf,
  addOrder,
  isClosed,
  DAY_MS,
  decidedAt,
  findAccount,
  findMarket,
  nameOfClientOrder,
  getOrOpenPosition,
  refuse,
  removeOrder,
  reservedCash,
  reservedShares,
  emit,
  takeShares,
  yesPrice,
} from './world.ts';
import type { Account, Key, Market, Order, Verdict, World } from './world.ts';

const within = (value: number | null, low: number, high: number): boolean =>
  value === null || (Number.isInteger(value) && value >= low && value <= high);

export function orderIsWellFormed(world: World, order: CommandOf<'PlaceOrder'>): boolean {
  const ranges =
    isPrice(order.priceUnits) &&
    isQuantity(world, order) &&
    within(order.notionalUnits, 10_000, 50_000_000) &&
    within(order.maxPriceUnits, 100, 9_900) &&
    within(order.slippageUnits, 0, 2_500);
  if (!ranges || !toolsAreWellFormed(order)) return false;
  if (order.orderType === 'limit' && order.priceUnits === null && !order.offTick) return false;
  if (order.side === 'sell') return order.quantity !== null;
  return order.quantity !== null || order.notionalUnits !== null;
}

export const isPrice = (priceUnits: number | null): boolean => within(priceUnits, 100, 9_900);

/** From 1 to 500 shares; for an account that plays a tape any number that an order can have. */
export function isQuantity(world: World, { by, quantity }: CommandOf<'AmendOrder' | 'PlaceOrder'>): boolean {
  const playsTape = by.kind === 'key' && findAccount(world, by.accountId)?.playsTape === true;
  return within(quantity, 1, playsTape ? 1_000_000_000 : 500);
}

function toolsAreWellFormed({
  clientOrderId,
  expiresAt,
  orderType,
  postOnly,
  timeInForce,
}: CommandOf<'PlaceOrder'>): boolean {
  if (clientOrderId !== null && !/^[A-Za-z0-9][A-Za-z0-9_.:-]{0,63}$/.test(clientOrderId)) return false;
  if (expiresAt !== null && !Number.isSafeInteger(expiresAt)) return false;
  return (!postOnly && expiresAt === null) || (orderType === 'limit' && timeInForce === 'GTC');
}

export function takesOrders(world: World, market: Market): boolean {
  const isPast = market.ordersEnd && decidedAt(world) >= market.amendable.closesAt;
  return market.phase === 'active' && (world.rulesVersion < 2 || !isPast);
}

/** Decides and applies an order whose sender, fields, account and Idempotency-Key have been checked. */
export function placeOrder(world: World, order: CommandOf<'PlaceOrder'>, key: Key): Verdict {
  if (order.accountId !== null && isClosed(world, order.accountId)) return refuse('forbidden');
  const at = decidedAt(world);
  if (order.expiresAt !== null && !(order.expiresAt > at && order.expiresAt <= at + 366 * DAY_MS)) {
    return refuse('validation_failed');
  }
  const market = findMarket(world, order.marketId);
  if (market === undefined) return refuse('market_not_found');
  if (!takesOrders(world, market)) return refuse('market_not_active');
  if (order.offTick || (order.priceUnits ?? 0) % market.tick !== 0) return refuse('invalid_tick');

  const account = findAccount(world, order.accountId ?? key.accountId);
  if (account === undefined) return refuse('not_authenticated');
  if (order.clientOrderId !== null && isTaken(world, account, order.clientOrderId)) {
    return refuse('duplicate_client_order_id');
  }
  const { side, outcome } = order;
  const limits = orderLimits(market, order, account.id);
  const plan = planOrder(world, market, limits);
  if (exceedsMandate(world, key, { account, former: null, market, outcome, plan, side })) {
    return refuse('mandate_exceeded');
  }
  if (side === 'sell') {
    const held = market.positions.get(account.id)?.shares[outcome] ?? 0;
    if (held - reservedShares(account, market.id, outcome) < limits.shares) return refuse('insufficient_shares');
  }
  if (side === 'buy' && costOf(plan, side) > account.cash - reservedCash(account)) {
    return refuse('insufficient_balance');
  }
  const { openOrdersPerAccount } = world.settings;
  if (plan.rests > 0 && account.orders.size >= openOrdersPerAccount && !account.playsTape) {
    return refuse('limit_reached');
  }
  enter(world, market, account, order, key, plan);
  return { kind: 'accepted', events: world.emitted };
}

function isTaken(world: World, account: Account, clientOrderId: string): boolean {
  for (const order of account.orders) if (order.clientOrderId === clientOrderId) return true;
  return world.endedIds.byName.has(nameOfClientOrder(account.id, clientOrderId));
}

function enter(
  world: World,
  market: Market,
  account: Account,
  order: CommandOf<'PlaceOrder'>,
  key: Key,
  plan: Plan,
): void {
  const { clientOrderId, expiresAt, orderId, outcome, postOnly, side } = order;
  const isMarked = world.rulesVersion >= 3;
  const spentUnits = isMarked ? costOf(plan, side) : 0;
  if (isMarked) spend(world, key, spentUnits);
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
  emit(world, 'OrderPlaced', announced, endsAtOnce(plan) ? [announced] : []);
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
    acceptedSeq: world.seq,
    createdAt: world.lastAt,
    clientOrderId,
    expiresAt,
    postOnly,
  };
  carryOut(world, market, account, placed, plan);
}

export const endsAtOnce = ({ filled, rests }: Plan): boolean => filled + rests === 0;

/** Applies a plan after the event that announces it. `order`: as it will rest. */
export function carryOut(world: World, market: Market, account: Account, order: Order, plan: Plan): void {
  getOrOpenPosition(market, account.id);
  let left = plan.filled + plan.left;
  for (const fill of plan.fills) {
    left -= fill.shares;
    const takerEnds = plan.rests === 0 && left === plan.left;
    trade(world, market, order, fill.maker, { quantity: fill.shares, takerRemaining: left, takerEnds });
  }
  if (plan.rests > 0) {
    addOrder(world, market, account, order);
  } else if (plan.left > 0) {
    emit(world, 'OrderCancelled', {
      accountId: account.id,
      marketId: market.id,
      orderId: order.orderId,
      outcome: order.outcome,
      priceUnits: plan.bound,
      quantity: plan.left,
      reason: plan.reason,
      resting: false,
      side: order.side,
    });
  }
}

interface Fill {
  readonly quantity: number;
  readonly takerRemaining: number;
  /** Whether this is the last fill of a taker that does not rest. */
  readonly takerEnds: boolean;
}

function trade(world: World, market: Market, taker: Order, maker: Order, fill: Fill): void {
  const { quantity, takerEnds, takerRemaining } = fill;
  const yes = yesPrice(maker.outcome, maker.price);
  maker.remaining -= quantity;
  const kind =
    maker.side === 'buy' && taker.side === 'buy'
      ? 'mint'
      : maker.side === 'sell' && taker.side === 'sell'
        ? 'merge'
        : 'transfer';
  const makerCost = move(world, market, maker, quantity, yes);
  const takerCost = move(world, market, taker, quantity, yes);
  for (const order of [maker, taker]) order.filledCost += yesPrice(order.outcome, yes) * quantity;
  if (maker.remaining === 0) removeOrder(world, maker);
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
  emit(world, 'OrderFilled', filled, ended);
}

/** Returns the money paid, or the cost of the shares sold. */
function move(
  world: World,
  market: Market,
  { accountId, outcome, side }: Pick<Order, 'accountId' | 'outcome' | 'side'>,
  quantity: number,
  yes: number,
): number {
  const account = accountOf(world, accountId);
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
