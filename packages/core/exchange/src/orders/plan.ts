import type { COMMANDS } from '../commands.ts';
import { reject } from '../decision.ts';
import type { Rejection } from '../decision.ts';
import type { ExchangeEvent, OrderCancelled } from '../events.ts';
import type { ValuesOf } from '../fields.ts';
import { purchaseUnits, reservedUnits } from '../fill-moves.ts';
import { PRICE_UNITS_MAX, PRICE_UNITS_MIN } from '../money.ts';
import { SHARE_UNITS } from '../vocabulary.ts';
import type { Account, ApiKey, Position } from '../state/account.ts';
import type { BookSide, Order } from '../state/book.ts';
import type { Market } from '../state/market.ts';
import { decisionTime } from '../state/state.ts';
import type { State } from '../state/state.ts';
import type { CancelReason } from '../vocabulary.ts';
import { mandateFault } from './mandate.ts';
import { ALL_SHARES, NO_BUDGET, pushFills, walk } from './walk.ts';
import type { IncomingOrder, Walk } from './walk.ts';

const NOT_ACTIVE = reject('market_not_active', 'Market is not active');
const NO_BALANCE = reject('insufficient_balance', 'Insufficient balance');
const NO_SHARES = reject(
  'insufficient_shares',
  'Insufficient shares: only free shares can be sold. To go short, buy the other outcome at 1 - price.',
);

/** The terms of an order, new or amended, for its `quantity` of shares that are not filled yet. */
export type OrderTerms = Omit<ValuesOf<typeof COMMANDS.PlaceOrder>, 'accountId' | 'marketId' | 'orderId'>;

/** Only GTC limit orders rest. */
export const GTC_LIMIT = { orderType: 'limit', timeInForce: 'GTC' } as const;

/** The plan of an order: some of its quantity fills, some rests, the remainder is cancelled for `reason`. */
export interface Plan {
  /** The limit, or the bound of a market order, in terms of the order's own outcome. */
  readonly boundUnits: number;
  readonly fillQuantity: number;
  readonly opposite: BookSide;
  readonly quantity: number;
  readonly reason: CancelReason;
  /** The cash for a buy's fills and its resting part; 0 for a sell. */
  readonly neededUnits: number;
  readonly restQuantity: number;
}

/** Refuses an order in a market that accepts no orders, or at a price between two ticks. */
export function marketFault(state: State, market: Market, terms: OrderTerms, clock: number): Rejection | null {
  if (market.phase !== 'active') return NOT_ACTIVE;
  // A timer closes the market soon after its closing time. Until then every order is refused here.
  if (state.rulesVersion >= 2 && market.isPastClose(decisionTime(state, clock))) return NOT_ACTIVE;
  if (terms.offTick || (terms.priceUnits !== null && terms.priceUnits % market.tickUnits !== 0)) {
    return reject(
      'invalid_tick',
      `The price must be a multiple of the market's tick size ${market.tickUnits / SHARE_UNITS}`,
    );
  }
  return null;
}

/** Finds what the order will do on this book, whether or not its account can pay for it. */
export function planOrder(state: State, terms: OrderTerms, account: Account, market: Market): Plan {
  const buying = terms.side === 'buy';
  const isLimit = terms.orderType === 'limit';
  const opposite = market.book.opposite(market.book.sideOf(terms.outcome, terms.side));
  const boundUnits = isLimit ? (terms.priceUnits ?? 0) : marketBound(terms, opposite, market.tickUnits);
  // Only a market buy has a budget during the walk; a limit buy converts its notional to shares at its limit.
  const budgetUnits = buying && !isLimit && terms.notionalUnits !== null ? terms.notionalUnits : NO_BUDGET;
  const byBudgetOnly = budgetUnits !== NO_BUDGET && terms.quantity === null;
  let shares = terms.quantity ?? ALL_SHARES;
  if (isLimit && buying && terms.notionalUnits !== null) {
    shares = Math.min(shares, Math.floor(terms.notionalUnits / boundUnits));
  }
  const floorUnits = buying ? SHARE_UNITS - boundUnits : boundUnits;
  const { fillsPerCommand } = state.settings;
  const found = walk(opposite, floorUnits, terms.side, shares, budgetUnits, account.owner, fillsPerCommand);
  const isComplete = byBudgetOnly ? endedByBudget(found, budgetUnits) : found.quantity === shares;

  const killed = killReason(terms, found, isComplete);
  if (killed !== null) {
    const quantity = byBudgetOnly ? sharesFor(budgetUnits, boundUnits) : shares;
    return { boundUnits, fillQuantity: 0, neededUnits: 0, opposite, quantity, reason: killed, restQuantity: 0 };
  }
  const rests = isLimit && terms.timeInForce === 'GTC' && (found.end === 'depth' || found.end === 'complete');
  const restQuantity = rests ? shares - found.quantity : 0;
  let quantity = shares;
  if (byBudgetOnly) quantity = found.quantity + (isComplete ? 0 : sharesFor(budgetUnits - found.costUnits, boundUnits));
  return {
    boundUnits,
    fillQuantity: found.quantity,
    neededUnits: buying ? found.costUnits + purchaseUnits(boundUnits, restQuantity) : 0,
    opposite,
    quantity,
    reason: cancelReason(found),
    restQuantity,
  };
}

/**
 * Refuses a plan that the key's mandate forbids, for which the account lacks shares or money, or which would open too
 * many orders. The reserve of `former`, the resting order that the plan replaces, is released first.
 */
export function planFault(
  state: State,
  plan: Plan,
  terms: OrderTerms,
  key: ApiKey,
  account: Account,
  market: Market,
  former: Order | null,
  at: number,
): Rejection | null {
  if (key.mandate !== null) {
    const refusal = mandateFault(key.mandate, key.spentOn(at), plan, terms, account, market, former);
    if (refusal !== null) return refusal;
  }
  const buying = terms.side === 'buy';
  const formerQuantity = former === null ? 0 : former.remaining;
  if (!buying) {
    const position = market.positionOf(account);
    const free = position === null ? 0 : position.free(terms.outcome) + formerQuantity;
    if (free < (terms.quantity ?? 0)) return NO_SHARES;
  }
  const formerUnits = former === null ? 0 : reservedUnits(former.side, former.priceUnits, formerQuantity);
  if (buying && account.cashUnits - account.reservedUnits + formerUnits < plan.neededUnits) return NO_BALANCE;
  const { openOrdersPerAccount } = state.settings;
  if (former === null && plan.restQuantity > 0 && account.openOrders >= openOrdersPerAccount && !account.playsTape) {
    return reject('limit_reached', `An account can have ${openOrdersPerAccount} open orders; cancel one first.`);
  }
  return null;
}

/** Appends the fills of a plan, and the cancel of the shares that neither fill nor rest. */
export function pushPlan(
  events: ExchangeEvent[],
  plan: Plan,
  incoming: IncomingOrder,
  position: Position | null,
): void {
  if (plan.fillQuantity > 0) pushFills(events, incoming, plan.quantity, plan.opposite, position);
  const cancelled = plan.quantity - plan.fillQuantity - plan.restQuantity;
  if (cancelled > 0) events.push(remainderCancelled(incoming, plan.boundUnits, cancelled, plan.reason));
}

function killReason(terms: OrderTerms, found: Walk, isComplete: boolean): CancelReason | null {
  if (terms.timeInForce === 'FOK' && !isComplete) return found.end === 'self_trade' ? 'self_trade' : 'fok_unfillable';
  return terms.postOnly && found.quantity > 0 ? 'post_only' : null;
}

/**
 * The worst price that a market order accepts: the tightest of 0.01 or 0.99, its price, its maxPrice (buys) and its
 * slippage from the best opposing order. A bound between two ticks moves to the tick that is stricter for the client.
 */
function marketBound(terms: OrderTerms, opposite: BookSide, tickUnits: number): number {
  const { priceUnits, maxPriceUnits, slippageUnits } = terms;
  const best = opposite.best;
  if (terms.side === 'buy') {
    let bound = priceUnits ?? PRICE_UNITS_MAX;
    if (maxPriceUnits !== null && maxPriceUnits < bound) bound = maxPriceUnits;
    if (slippageUnits !== null && best !== null) bound = Math.min(bound, SHARE_UNITS - best.priceUnits + slippageUnits);
    return Math.floor(bound / tickUnits) * tickUnits;
  }
  let bound = priceUnits ?? PRICE_UNITS_MIN;
  if (slippageUnits !== null && best !== null) bound = Math.max(bound, best.priceUnits - slippageUnits);
  return Math.ceil(bound / tickUnits) * tickUnits;
}

/** Whether the budget ended a walk that bought shares: the rest of it buys none at the worst price paid. */
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

function remainderCancelled(
  incoming: IncomingOrder,
  priceUnits: number,
  quantity: number,
  reason: CancelReason,
): OrderCancelled {
  return {
    accountId: incoming.accountId,
    at: incoming.at,
    marketId: incoming.marketId,
    orderId: incoming.orderId,
    outcome: incoming.outcome,
    priceUnits,
    quantity,
    reason,
    resting: false,
    side: incoming.side,
    type: 'OrderCancelled',
  };
}
