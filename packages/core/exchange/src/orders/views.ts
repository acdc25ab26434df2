import type { ExchangeEvent } from '../events.ts';
import { reservedUnits } from '../fill-moves.ts';
import { inOwnTerms } from '../vocabulary.ts';
import type { State } from '../state/state.ts';
import type { CancelReason, OrderStatus, OrderView, Outcome } from '../vocabulary.ts';
import { matching } from './cancel.ts';
import type { OrderFilter } from './cancel.ts';

/** An order as the decision that placed it left it. */
export interface OrderAnswer extends OrderView {
  /** The volume-weighted price of its fills in its outcome's terms, a half unit rounded up; null without a fill. */
  readonly averagePriceUnits: number | null;
  readonly clientOrderId: string | null;
  readonly expiresAt: number | null;
  readonly postOnly: boolean;
  /** Why the rest was cancelled; null where it was not. */
  readonly reason: CancelReason | null;
}

/**
 * The answer to a PlaceOrder, from its decision's events alone, so that a replay answers the same. Throws when they are
 * not the events of one.
 */
export function orderAnswer(events: readonly ExchangeEvent[]): OrderAnswer {
  const [first] = events;
  if (first?.type !== 'OrderPlaced') throw new Error('these are not the events of a PlaceOrder');
  const { fillQuantity, quantity, restQuantity } = first;
  const averagePriceUnits = averageUnits(valueUnits(events, first.outcome), fillQuantity);
  return {
    accountId: first.accountId,
    averagePriceUnits,
    clientOrderId: first.clientOrderId,
    createdAt: first.at,
    expiresAt: first.expiresAt,
    filledQty: fillQuantity,
    marketId: first.marketId,
    orderId: first.orderId,
    orderType: first.orderType,
    outcome: first.outcome,
    postOnly: first.postOnly,
    priceUnits: (first.orderType === 'market' ? averagePriceUnits : null) ?? first.priceUnits,
    quantity,
    reason: cancelReason(events),
    reservedUnits: reservedUnits(first.side, first.priceUnits, restQuantity),
    side: first.side,
    status: status(quantity, fillQuantity, restQuantity),
    timeInForce: first.timeInForce,
  };
}

/** Why the order's rest was cancelled: the event that ends such a decision names it. */
function cancelReason(events: readonly ExchangeEvent[]): CancelReason | null {
  const last = events.at(-1);
  return last?.type === 'OrderCancelled' ? last.reason : null;
}

/** The answer to an AmendOrder, as `orderAnswer`. */
export function amendAnswer(events: readonly ExchangeEvent[]): OrderView {
  const [first] = events;
  switch (first?.type) {
    case 'OrderReplaced':
      return restingView(first, first.filledQuantity + first.fillQuantity, first.restQuantity);
    case 'OrderAmended':
      return restingView(first, first.quantity - first.remaining, first.remaining);
    default:
      throw new Error('these are not the events of an AmendOrder');
  }
}

/** The fields of a limit order that do not depend on how far it is filled. */
type LimitOrder = Pick<
  OrderView,
  'accountId' | 'createdAt' | 'marketId' | 'orderId' | 'outcome' | 'priceUnits' | 'quantity' | 'side'
>;

/** An order that rests, or has rested. Only limit orders with GTC do. */
function restingView(order: LimitOrder, filled: number, resting: number): OrderView {
  const { accountId, createdAt, marketId, orderId, outcome, priceUnits, quantity, side } = order;
  return {
    accountId,
    createdAt,
    filledQty: filled,
    marketId,
    orderId,
    orderType: 'limit',
    outcome,
    priceUnits,
    quantity,
    reservedUnits: reservedUnits(side, priceUnits, resting),
    side,
    status: status(quantity, filled, resting),
    timeInForce: 'GTC',
  };
}

/** Σ price × quantity of the fills among these events, in the outcome's own terms. */
function valueUnits(events: readonly ExchangeEvent[], outcome: Outcome): number {
  let units = 0;
  for (const event of events) {
    if (event.type === 'OrderFilled') {
      units += inOwnTerms(outcome, event.yesPriceUnits) * event.quantity;
    }
  }
  return units;
}

function status(quantity: number, filled: number, rests: number): OrderStatus {
  if (filled === quantity) return 'filled';
  if (filled + rests < quantity) return 'cancelled';
  return filled === 0 ? 'open' : 'partial';
}

/** The average price of shares that are worth so much together, a half unit rounded up; null of no shares. */
function averageUnits(valueUnits: number, quantity: number): number | null {
  return quantity === 0 ? null : Math.floor((2 * valueUnits + quantity) / (2 * quantity));
}

/** A resting order, as the answer to a change that changed nothing; null where no such order rests. */
export function openOrderView(state: State, orderId: string): OrderView | null {
  const order = state.orders.get(orderId);
  if (order === undefined) return null;
  const { createdAt, outcome, position, priceUnits, quantity, remaining, side } = order;
  const { account, marketId } = position;
  const terms = { accountId: account.id, createdAt, marketId, orderId, outcome, priceUnits, quantity, side };
  return restingView(terms, quantity - remaining, remaining);
}

/** An open order that a cancel of many matches. */
export interface MatchingOrder {
  readonly accountId: string;
  readonly orderId: string;
}

/**
 * The open orders of these accounts that a cancel of many matches, oldest acceptance first; in the end `cancelOrders`
 * cancels them. Accounts that do not exist have none.
 */
export function matchingOrders(
  state: State,
  accountIds: readonly string[],
  filter: OrderFilter,
): readonly MatchingOrder[] {
  return accountIds
    .flatMap((accountId) => {
      const account = state.accounts.get(accountId);
      return account === undefined ? [] : matching(account, filter);
    })
    .sort((a, b) => a.acceptedSeq - b.acceptedSeq)
    .map((order) => ({ accountId: order.position.account.id, orderId: order.id }));
}
