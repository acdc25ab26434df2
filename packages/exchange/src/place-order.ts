import type { Account } from './account.ts';
import type { BookSide } from './book.ts';
import type { PlaceOrder } from './commands.ts';
import { FORBIDDEN, NOT_AUTHENTICATED, accept, reject, invalid } from './decision.ts';
import type { Decision, Rejection } from './decision.ts';
import type { ExchangeEvent, OrderCancelled, OrderPlaced } from './events.ts';
import { replayOf } from './idempotency.ts';
import type { Market } from './market.ts';
import { PRICE_UNITS_MAX, PRICE_UNITS_MIN, SHARE_UNITS } from './money.ts';
import { TRADE } from './permissions.ts';
import { decisionTime, findMarket, awaitsApproval, liveKey } from './state.ts';
import type { State } from './state.ts';
import { NO_BUDGET, ALL_SHARES, walk, pushFills } from './walk.ts';
import type { Walk } from './walk.ts';
import type { CancelReason, OrderStatus, OrderView } from './vocabulary.ts';

const QUANTITY_MAX = 500;
const NOTIONAL_UNITS_MIN = 10_000;
const NOTIONAL_UNITS_MAX = 50_000_000;
const SLIPPAGE_UNITS_MAX = 2_500;

const KYC_REQUIRED = reject('kyc_required', 'Permission or KYC: this account is not approved for trading yet.');
const NOT_ACTIVE = reject('market_not_active', 'Market is not active');
const NO_BALANCE = reject('insufficient_balance', 'Insufficient balance');
const NO_SHARES = reject(
  'insufficient_shares',
  'Insufficient shares: only free shares can be sold. To go short, buy the other outcome at 1 - price.',
);

/**
 * Decides an order. The checks have the order of the trading rules: authority, form, Idempotency-Key, market, tick,
 * shares, fill-or-kill, balance for the exact plan, open orders. Either one check refuses and nothing happens, or the
 * events contain everything that happened.
 */
export function placeOrder(state: State, command: PlaceOrder): Decision {
  const key = liveKey(state, command.by);
  if (key === null) return NOT_AUTHENTICATED;
  if ((key.rights & TRADE) === 0) return FORBIDDEN;
  const account = key.account;
  if (awaitsApproval(state, account)) return KYC_REQUIRED;
  const refusal = orderFormFault(command) ?? replayOf(state.idempotency, command);
  if (refusal !== null) return refusal;
  const market = findMarket(state, command.marketId);
  if (market === null) return reject('market_not_found', `No market has the id ${command.marketId}`);
  if (market.phase !== 'active') return NOT_ACTIVE;
  // A timer closes the market soon after its closing time; no order is accepted in between.
  if (state.rulesVersion >= 2 && market.isPastClose(decisionTime(state, command.at))) return NOT_ACTIVE;
  if (command.offTick || (command.priceUnits !== null && command.priceUnits % market.tickUnits !== 0)) {
    return reject(
      'invalid_tick',
      `The price must be a multiple of the market's tick size ${market.tickUnits / SHARE_UNITS}`,
    );
  }
  return planOrder(state, command, account, market);
}

function planOrder(state: State, command: PlaceOrder, account: Account, market: Market): Decision {
  const { settings } = state;
  const buying = command.side === 'buy';
  const isLimit = command.orderType === 'limit';
  const opposite = market.book.opposite(market.book.sideOf(command.outcome, command.side));
  const position = market.positionOf(account);
  if (!buying) {
    const free = position === null ? 0 : position.free(command.outcome);
    if (free < (command.quantity ?? 0)) return NO_SHARES;
  }

  const boundUnits = isLimit ? (command.priceUnits ?? 0) : marketBound(command, opposite, market.tickUnits);
  // Only a market buy has a budget during the walk; a limit buy converts its notional to shares at its limit.
  const budgetUnits = buying && !isLimit && command.notionalUnits !== null ? command.notionalUnits : NO_BUDGET;
  const byBudgetOnly = budgetUnits !== NO_BUDGET && command.quantity === null;
  let wanted = command.quantity ?? ALL_SHARES;
  if (isLimit && buying && command.notionalUnits !== null) {
    wanted = Math.min(wanted, Math.floor(command.notionalUnits / boundUnits));
  }
  const found = walk(
    opposite,
    buying ? SHARE_UNITS - boundUnits : boundUnits,
    buying,
    wanted,
    budgetUnits,
    account.owner,
    settings.fillsPerCommand,
  );
  const isComplete = byBudgetOnly ? endedByBudget(found, budgetUnits) : found.quantity === wanted;

  const at = decisionTime(state, command.at);
  if (command.timeInForce === 'FOK' && !isComplete) {
    const killed = byBudgetOnly ? sharesFor(budgetUnits, boundUnits) : wanted;
    const reason = found.end === 'self_trade' ? 'self_trade' : 'fok_unfillable';
    const placed = orderPlaced(command, account.id, at, boundUnits, killed, 0, 0);
    return accept([placed, remainderCancelled(placed, killed, reason)]);
  }
  const rests = isLimit && command.timeInForce === 'GTC' && (found.end === 'depth' || found.end === 'complete');
  const restQuantity = rests ? wanted - found.quantity : 0;
  if (buying && account.cashUnits - account.reservedUnits < found.costUnits + restQuantity * boundUnits) {
    return NO_BALANCE;
  }
  if (restQuantity > 0 && account.openOrders >= settings.openOrdersPerAccount) {
    return reject(
      'limit_reached',
      `An account can have ${settings.openOrdersPerAccount} open orders; cancel one first.`,
    );
  }
  let quantity = wanted;
  if (byBudgetOnly) {
    quantity = found.quantity + (isComplete ? 0 : sharesFor(budgetUnits - found.costUnits, boundUnits));
  }
  const placed = orderPlaced(command, account.id, at, boundUnits, quantity, found.quantity, restQuantity);
  const events: ExchangeEvent[] = [placed];
  if (found.quantity > 0) {
    pushFills(events, placed, opposite, position);
  }
  const cancelled = quantity - found.quantity - restQuantity;
  if (cancelled > 0) {
    events.push(remainderCancelled(placed, cancelled, cancelReason(found)));
  }
  return accept(events);
}

/**
 * The price that a market order will not go beyond: the tightest of 0.01 or 0.99, its price, its maxPrice (buys) and
 * its slippage from the best opposing order; between two ticks, the one that is stricter for the client.
 */
function marketBound(command: PlaceOrder, opposite: BookSide, tickUnits: number): number {
  const { priceUnits, maxPriceUnits, slippageUnits } = command;
  const best = opposite.best;
  if (command.side === 'buy') {
    let bound = priceUnits ?? PRICE_UNITS_MAX;
    if (maxPriceUnits !== null && maxPriceUnits < bound) {
      bound = maxPriceUnits;
    }
    if (slippageUnits !== null && best !== null) {
      bound = Math.min(bound, SHARE_UNITS - best.priceUnits + slippageUnits);
    }
    return Math.floor(bound / tickUnits) * tickUnits;
  }
  let bound = priceUnits ?? PRICE_UNITS_MIN;
  if (slippageUnits !== null && best !== null) {
    bound = Math.max(bound, best.priceUnits - slippageUnits);
  }
  return Math.ceil(bound / tickUnits) * tickUnits;
}

/**
 * Whether the budget ended a walk: shares were bought, and the rest of the budget buys no share at the worst price
 * paid.
 */
function endedByBudget(found: Walk, budgetUnits: number): boolean {
  return found.quantity > 0 && budgetUnits - found.costUnits < found.worstUnits;
}

/** The number of shares that an unspent budget buys at the price bound; at least 1. */
function sharesFor(unspentUnits: number, boundUnits: number): number {
  return Math.max(1, Math.floor(unspentUnits / boundUnits));
}

function cancelReason(found: Walk): CancelReason {
  if (found.end === 'self_trade' || found.end === 'fill_limit') return found.end;
  return found.quantity === 0 ? 'no_liquidity' : 'ioc_remainder';
}

function orderPlaced(
  command: PlaceOrder,
  accountId: string,
  at: number,
  priceUnits: number,
  quantity: number,
  fillQuantity: number,
  restQuantity: number,
): OrderPlaced {
  return {
    accountId,
    at,
    fillQuantity,
    marketId: command.marketId,
    notionalUnits: command.notionalUnits,
    orderId: command.orderId,
    orderType: command.orderType,
    outcome: command.outcome,
    priceUnits,
    quantity,
    restQuantity,
    side: command.side,
    timeInForce: command.timeInForce,
    type: 'OrderPlaced',
  };
}

/** The end of an order that neither fills wholly nor rests. */
function remainderCancelled(placed: OrderPlaced, quantity: number, reason: CancelReason): OrderCancelled {
  return {
    accountId: placed.accountId,
    at: placed.at,
    marketId: placed.marketId,
    orderId: placed.orderId,
    outcome: placed.outcome,
    priceUnits: placed.priceUnits,
    quantity,
    reason,
    resting: false,
    side: placed.side,
    type: 'OrderCancelled',
  };
}

/**
 * The fault of an order's form, or null. A fault is a field out of range (even one that would be ignored), or the lack of
 * a field that this order type and side need.
 */
function orderFormFault(order: PlaceOrder): Rejection | null {
  if (outside(order.priceUnits, PRICE_UNITS_MIN, PRICE_UNITS_MAX)) return invalid('price', 'must be 0.01 to 0.99');
  if (outside(order.quantity, 1, QUANTITY_MAX)) return invalid('quantity', 'must be a whole number, 1 to 500');
  if (outside(order.notionalUnits, NOTIONAL_UNITS_MIN, NOTIONAL_UNITS_MAX)) {
    return invalid('notional', 'must be 1 to 5000, in steps of 0.0001');
  }
  if (outside(order.maxPriceUnits, PRICE_UNITS_MIN, PRICE_UNITS_MAX)) {
    return invalid('maxPrice', 'must be 0.01 to 0.99, in steps of 0.0001');
  }
  if (outside(order.slippageUnits, 0, SLIPPAGE_UNITS_MAX)) {
    return invalid('slippage', 'must be 0 to 0.25, in steps of 0.0001');
  }
  if (order.orderType === 'limit' && order.priceUnits === null && !order.offTick) {
    return invalid('price', 'is required for a limit order');
  }
  if (order.quantity === null) {
    if (order.side === 'sell') return invalid('quantity', 'is required to sell');
    if (order.notionalUnits === null) return invalid('quantity', 'is required to buy, or notional');
  }
  return null;
}

/** True for a given value that is not a whole number of this range; NaN and the infinities count as outside. */
function outside(value: number | null, min: number, max: number): boolean {
  return value !== null && !(Number.isInteger(value) && value >= min && value <= max);
}

/**
 * The answer to a PlaceOrder, from its decision's events alone, so that a replay answers the same. Throws when they
 * are not the events of a PlaceOrder.
 */
export function orderAnswer(events: readonly ExchangeEvent[]): OrderView {
  const placed = events[0];
  if (placed?.type !== 'OrderPlaced') throw new Error('these are not the events of a PlaceOrder');
  const { fillQuantity, quantity, restQuantity } = placed;
  let notionalUnits = 0;
  for (const event of events) {
    if (event.type === 'OrderFilled') {
      const own = placed.outcome === 'yes' ? event.yesPriceUnits : SHARE_UNITS - event.yesPriceUnits;
      notionalUnits += own * event.quantity;
    }
  }
  const isAveraged = placed.orderType === 'market' && fillQuantity > 0;
  return {
    accountId: placed.accountId,
    createdAt: placed.at,
    filledQty: fillQuantity,
    marketId: placed.marketId,
    orderId: placed.orderId,
    orderType: placed.orderType,
    outcome: placed.outcome,
    priceUnits: isAveraged ? halfUp(notionalUnits, fillQuantity) : placed.priceUnits,
    quantity,
    reservedUnits: placed.side === 'buy' ? placed.priceUnits * restQuantity : 0,
    side: placed.side,
    status: status(quantity, fillQuantity, restQuantity),
    timeInForce: placed.timeInForce,
  };
}

function status(quantity: number, filled: number, rests: number): OrderStatus {
  if (filled === quantity) return 'filled';
  if (filled + rests < quantity) return 'cancelled';
  return filled === 0 ? 'open' : 'partial';
}

/** The quotient of two positive integers, a half rounded up. */
function halfUp(dividend: number, divisor: number): number {
  return Math.floor((2 * dividend + divisor) / (2 * divisor));
}
