import type { ExchangeEvent } from '../events.ts';
import { reservedUnits } from '../fill-moves.ts';
import { inOwnTerms } from '../vocabulary.ts';
import type { State } from '../state/state.ts';
import type { OrderStatus, OrderView, Outcome } from '../vocabulary.ts';
import { matching } from './cancel.ts';
import type { OrderFilter } from './cancel.ts';

/**
 * The answer to a PlaceOrder or an AmendOrder, from its decision's events alone, so that a replay answers the same.
 * Throws when they are not the events of one.
 */
export function orderAnswer(events: readonly ExchangeEvent[]): OrderView {
  const [first] = events;
  switch (first?.type) {
    case 'OrderPlaced': {
      const { fillQuantity, quantity, restQuantity } = first;
      const isMarket = first.orderType === 'market';
      return {
        accountId: first.accountId,
        createdAt: first.at,
        filledQty: fillQuantity,
        marketId: first.marketId,
        orderId: first.orderId,
        orderType: first.orderType,
        outcome: first.outcome,
        priceUnits:
          (isMarket ? averageUnits(valueUnits(events, first.outcome), fillQuantity) : null) ?? first.priceUnits,
        quantity,
        reservedUnits: reservedUnits(first.side, first.priceUnits, restQuantity),
        side: first.side,
        status: status(quantity, fillQuantity, restQuantity),
        timeInForce: first.timeInForce,
      };
    }
    case 'OrderReplaced':
      return restingView(first, first.filledQuantity + first.fillQuantity, first.restQuantity);
    case 'OrderAmended':
      return restingView(first, first.quantity - first.remaining, first.remaining);
    default:
      throw new Error('these are not the events of a PlaceOrder or an AmendOrder');
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
export function valueUnits(events: readonly ExchangeEvent[], outcome: Outcome): number {
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
export function averageUnits(valueUnits: number, quantity: number): number | null {
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
