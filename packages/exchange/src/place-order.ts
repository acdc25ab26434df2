import type { Account } from './account.ts';
import { awaitsApproval, liveKey } from './authority.ts';
import type { BookSide } from './book.ts';
import type { PlaceOrder } from './commands.ts';
import { FORBIDDEN, NOT_AUTHENTICATED, accept, reject } from './decision.ts';
import type { Decision } from './decision.ts';
import type { ExchangeEvent, OrderCancelled, OrderPlaced } from './events.ts';
import { pushFills } from './fills.ts';
import { replayOf } from './idempotency.ts';
import type { Market } from './market.ts';
import { PRICE_UNITS_MAX, PRICE_UNITS_MIN, SHARE_UNITS } from './money.ts';
import { orderFormFault } from './order-form.ts';
import { TRADE } from './permissions.ts';
import { decisionTime, findMarket } from './state.ts';
import type { State } from './state.ts';
import { NO_BUDGET, ALL_SHARES, walk } from './walk.ts';
import type { Walk } from './walk.ts';
import type { CancelReason } from './vocabulary.ts';

const KYC_REQUIRED = reject('kyc_required', 'Permission or KYC: this account is not approved for trading yet.');
const NOT_ACTIVE = reject('market_not_active', 'Market is not active');
const NO_BALANCE = reject('insufficient_balance', 'Insufficient balance');
const NO_SHARES = reject(
  'insufficient_shares',
  'Insufficient shares: only free shares can be sold. To go short, buy the other outcome at 1 - price.',
);

/**
 * Decides an order, in the order of checks that trading-rules gives: authority, form, Idempotency-Key, market, tick,
 * shares, fill-or-kill, balance of the exact plan, open orders. Nothing is done by halves: either one check refuses
 * and nothing happened, or the events say all that did.
 */
export function placeOrder(state: State, command: PlaceOrder): Decision {
  const key = liveKey(state, command.by);
  if (key === null) {
    return NOT_AUTHENTICATED;
  }
  if ((key.rights & TRADE) === 0) {
    return FORBIDDEN;
  }
  const account = key.account;
  if (awaitsApproval(state, account)) {
    return KYC_REQUIRED;
  }
  const refusal = orderFormFault(command) ?? replayOf(state.idempotency, command);
  if (refusal !== null) {
    return refusal;
  }
  const market = findMarket(state, command.marketId);
  if (market === null) {
    return reject('market_not_found', `No market has the id ${command.marketId}`);
  }
  if (market.phase !== 'active') {
    return NOT_ACTIVE;
  }
  // The clock closes it when it comes to that; no order is taken in between.
  if (state.rulesVersion >= 2 && market.isPastClose(decisionTime(state, command.at))) {
    return NOT_ACTIVE;
  }
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
    if (free < (command.quantity ?? 0)) {
      return NO_SHARES;
    }
  }

  const boundUnits = isLimit ? (command.priceUnits ?? 0) : marketBound(command, opposite, market.tickUnits);
  // Only a market buy spends a budget as it goes; a limit buy turns its notional into shares at its limit.
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
 * Whether the budget ended a walk: something was bought, and the rest of the budget buys no share at the worst price
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
  if (found.end === 'self_trade' || found.end === 'fill_limit') {
    return found.end;
  }
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
