import type { ExchangeEvent, OrderAmended, OrderReplaced } from '../events.ts';
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

/** An order as the decision that changed it left it. */
export interface AmendAnswer extends Omit<OrderAnswer, 'postOnly'> {
  /**
   * Null where the change was decided by rules before version 5: clientOrderId and expiresAt are null then whatever they
   * are, and averagePriceUnits is null where the order had fills before the change.
   */
  readonly postOnly: boolean | null;
}

/** The answer to an AmendOrder, as `orderAnswer`. */
export function amendAnswer(events: readonly ExchangeEvent[]): AmendAnswer {
  const [first] = events;
  switch (first?.type) {
    case 'OrderReplaced':
      return changedOrder(events, first, first.filledQuantity, first.fillQuantity, first.restQuantity);
    case 'OrderAmended':
      return changedOrder(events, first, first.quantity - first.remaining, 0, first.remaining);
    default:
      throw new Error('these are not the events of an AmendOrder');
  }
}

/**
 * An order that has rested: only limit orders with GTC do.
 *
 * @param filledBefore shares that were filled before the decision
 * @param fills shares that the decision fills
 */
function changedOrder(
  events: readonly ExchangeEvent[],
  change: OrderAmended | OrderReplaced,
  filledBefore: number,
  fills: number,
  resting: number,
): AmendAnswer {
  const { priceUnits, quantity, side } = change;
  const costBefore = filledBefore === 0 ? 0 : change.filledCostUnits;
  const filled = filledBefore + fills;
  return {
    accountId: change.accountId,
    averagePriceUnits:
      costBefore === null ? null : averageUnits(costBefore + valueUnits(events, change.outcome), filled),
    clientOrderId: change.clientOrderId,
    createdAt: change.createdAt,
    expiresAt: change.expiresAt,
    filledQty: filled,
    marketId: change.marketId,
    orderId: change.orderId,
    orderType: 'limit',
    outcome: change.outcome,
    postOnly: change.postOnly,
    priceUnits,
    quantity,
    reason: cancelReason(events),
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
