import type { OrderAmended, OrderCancelled, OrderFilled, OrderPlaced, OrderReplaced, SharesMerged } from '../events.ts';
import { makerMoves, pairsMoved, reservedUnits, takerMoves } from '../fill-moves.ts';
import type { FillMoves } from '../fill-moves.ts';
import { optionalFields } from '../optional-fields.ts';
import { inOwnTerms, SHARE_UNITS } from '../vocabulary.ts';
import { Order } from '../state/book.ts';
import type { Market } from '../state/market.ts';
import { accountOf, endCloseRun, endClosings, fleetOf, touchMarket } from '../state/state.ts';
import type { State } from '../state/state.ts';

/** Holds the incoming order until its fills are applied. Without fills, the order enters the book at once. */
export function orderPlaced(state: State, event: OrderPlaced): void {
  const market = touchMarket(state, event.marketId);
  const account = accountOf(state, event.accountId);
  const order = new Order(
    event.orderId,
    market.getOrOpenPosition(account),
    event.outcome,
    event.side,
    event.priceUnits,
    event.quantity,
    event.restQuantity,
    state.seq,
    event.at,
    optionalFields(event),
  );
  state.clientOrderIds.add(order);
  if (event.keyId !== null && event.spentUnits > 0) state.keys.get(event.keyId)?.spend(event.at, event.spentUnits);
  enter(state, market, order, event.fillQuantity);
}

/** Takes the order out of the book, for its new terms. */
export function orderReplaced(state: State, event: OrderReplaced): void {
  const market = touchMarket(state, event.marketId);
  const order = restingOrder(state, event.orderId);
  releaseReserve(order, order.remaining);
  // The order stays in the list of open orders, in its place, unless none of it rests after its fills.
  market.book.sideOf(order.outcome, order.side).remove(order);
  order.priceUnits = event.priceUnits;
  order.quantity = event.quantity;
  order.remaining = event.restQuantity;
  if (event.spentUnits > 0) state.keys.get(event.keyId)?.spend(event.at, event.spentUnits);
  enter(state, market, order, event.fillQuantity);
}

/** Lowers the total of a resting order, which keeps its place in the queue. */
export function orderAmended(state: State, event: OrderAmended): void {
  const market = touchMarket(state, event.marketId);
  const order = restingOrder(state, event.orderId);
  releaseReserve(order, event.removed);
  market.book.sideOf(order.outcome, order.side).reduce(order, event.removed);
  order.quantity = event.quantity;
}

/** Moves shares and money between maker and taker. After the last fill, the taker's rest enters the book. */
export function orderFilled(state: State, event: OrderFilled): void {
  const market = touchMarket(state, event.marketId);
  const taker = state.incoming;
  if (taker === null || taker.id !== event.takerOrderId) {
    throw new Error(`a fill of order ${event.takerOrderId}, which is not the incoming one`);
  }
  const makers = market.book.opposite(market.book.sideOf(taker.outcome, taker.side));
  const maker = makers.best?.head ?? null;
  if (maker === null || maker.id !== event.makerOrderId) {
    throw new Error(`a fill against order ${event.makerOrderId}, which is not the first in the book`);
  }
  const { quantity } = event;
  market.lastTradeUnits = event.yesPriceUnits;
  market.volume += quantity;
  market.pairs += pairsMoved(event);
  releaseReserve(maker, quantity);
  move(maker, makerMoves(event));
  move(taker, takerMoves(event));
  maker.filledCostUnits += inOwnTerms(maker.outcome, event.yesPriceUnits) * quantity;
  taker.filledCostUnits += inOwnTerms(taker.outcome, event.yesPriceUnits) * quantity;
  if (event.makerRemaining === 0) {
    makers.remove(maker);
    endOrder(state, maker);
  } else {
    makers.reduce(maker, quantity);
  }
  state.incomingFill -= quantity;
  if (state.incomingFill === 0) {
    state.incoming = null;
    rest(state, market, taker);
  }
}

/** Removes a resting order from the book and frees its reserve. An order that never rested has nothing to undo. */
export function orderCancelled(state: State, event: OrderCancelled): void {
  const market = touchMarket(state, event.marketId);
  if (!event.resting) return;
  const order = restingOrder(state, event.orderId);
  releaseReserve(order, order.remaining);
  market.book.sideOf(order.outcome, order.side).remove(order);
  if (event.reason === 'account_closed') {
    for (const closure of order.position.account.closures) closure.cancelledOrders += 1;
  }
  endOrder(state, order);
  if (market.run === null) return;
  if (event.reason === 'market_resolved') market.cancelledInRun += 1;
  endCloseRun(state, market);
}

/** Ends pairs of an account's shares, and pays $1 for each. */
export function sharesMerged(state: State, event: SharesMerged): void {
  const market = touchMarket(state, event.marketId);
  const account = accountOf(state, event.accountId);
  const position = market.getOrOpenPosition(account);
  position.add('yes', -event.quantity, -event.yesCostUnits);
  position.add('no', -event.quantity, -event.noCostUnits);
  account.cashUnits += event.quantity * SHARE_UNITS;
  market.pairs -= event.quantity;
}

function restingOrder(state: State, orderId: string): Order {
  const order = state.orders.get(orderId);
  if (order === undefined) throw new Error(`an event of order ${orderId}, which is not in the book`);
  return order;
}

function enter(state: State, market: Market, order: Order, fillQuantity: number): void {
  if (fillQuantity === 0) {
    rest(state, market, order);
  } else {
    state.incoming = order;
    state.incomingFill = fillQuantity;
  }
}

/** Puts the unfilled part of an order into the book and reserves its money or shares. A filled order ends. */
function rest(state: State, market: Market, order: Order): void {
  if (order.remaining === 0) {
    endOrder(state, order);
    return;
  }
  market.book.sideOf(order.outcome, order.side).add(order);
  if (!order.isOpen) openOrder(state, order);
  if (order.side === 'buy') {
    order.position.account.reservedUnits += reservedUnits(order.side, order.priceUnits, order.remaining);
    order.position.countBuying(order.outcome, order.remaining);
  } else {
    order.position.reserve(order.outcome, order.remaining);
  }
}

function openOrder(state: State, order: Order): void {
  order.isOpen = true;
  state.orders.set(order.id, order);
  order.position.account.addOrder(order);
  if (order.given.expiresAt !== null) state.expiring.put(order);
}

/** Ends an order: removes it from the open orders if it was one, and starts the window of its clientOrderId. */
function endOrder(state: State, order: Order): void {
  const { account } = order.position;
  if (order.isOpen) {
    order.isOpen = false;
    state.orders.delete(order.id);
    account.removeOrder(order);
    if (order.given.expiresAt !== null) state.expiring.remove(order);
    if (state.closings.size > 0) endClosings(state, account);
  }
  if (order.given.clientOrderId !== null) {
    state.clientOrderIds.end(order, fleetOf(state, account.id), state.lastAt, state.seq);
  }
}

function releaseReserve(order: Order, quantity: number): void {
  if (order.side === 'buy') {
    order.position.account.reservedUnits -= reservedUnits(order.side, order.priceUnits, quantity);
    order.position.countBuying(order.outcome, -quantity);
  } else {
    order.position.reserve(order.outcome, -quantity);
  }
}

function move({ outcome, position }: Order, moved: FillMoves): void {
  position.account.cashUnits += moved.cashUnits;
  position.add(outcome, moved.shares, moved.costUnits);
}
