import { Order } from './book.ts';
import type { BookSide } from './book.ts';
import type { OrderCancelled, OrderFilled, OrderPlaced } from './events.ts';
import type { Market } from './market.ts';
import { SHARE_UNITS } from './money.ts';
import { accountOf, endCloseRun, touchMarket } from './state.ts';
import type { State } from './state.ts';

/** Keeps the incoming order for its fills. Without fills, the order enters the book at once. */
export function orderPlaced(state: State, event: OrderPlaced): void {
  const market = touchMarket(state, event.marketId);
  const account = accountOf(state, event.accountId);
  const order = new Order(
    event.orderId,
    market.getOrOpenPosition(account),
    event.outcome,
    event.side,
    event.priceUnits,
    event.restQuantity,
  );
  if (event.fillQuantity === 0) {
    rest(state, market, order);
  } else {
    state.incoming = order;
    state.incomingFill = event.fillQuantity;
  }
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
  if (event.kind === 'mint') {
    market.pairs += quantity;
  } else if (event.kind === 'merge') {
    market.pairs -= quantity;
  }
  releaseReserve(maker, quantity);
  trade(maker, event.yesPriceUnits, quantity, event.makerCostUnits);
  trade(taker, event.yesPriceUnits, quantity, event.takerCostUnits);
  if (event.makerRemaining === 0) {
    leaveBook(state, makers, maker);
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
  const order = state.orders.get(event.orderId);
  if (order === undefined) throw new Error(`a cancel of order ${event.orderId}, which is not in the book`);
  releaseReserve(order, order.remaining);
  leaveBook(state, market.book.sideOf(order.outcome, order.side), order);
  if (market.run !== null) {
    cancelledInRun(state, market, event);
  }
}

function cancelledInRun(state: State, market: Market, event: OrderCancelled): void {
  if (event.reason === 'market_resolved') {
    market.cancelledInRun += 1;
  }
  endCloseRun(state, market);
}

/** Puts the rest of a placed order into the book, and reserves its money or its shares. */
function rest(state: State, market: Market, order: Order): void {
  if (order.remaining === 0) return;
  market.book.sideOf(order.outcome, order.side).add(order);
  state.orders.set(order.id, order);
  const { account } = order.position;
  account.openOrders += 1;
  if (order.side === 'buy') {
    account.reservedUnits += order.priceUnits * order.remaining;
  } else {
    order.position.reserve(order.outcome, order.remaining);
  }
}

function leaveBook(state: State, side: BookSide, order: Order): void {
  side.remove(order);
  state.orders.delete(order.id);
  order.position.account.openOrders -= 1;
}

function releaseReserve(order: Order, quantity: number): void {
  if (order.side === 'buy') {
    order.position.account.reservedUnits -= order.priceUnits * quantity;
  } else {
    order.position.reserve(order.outcome, -quantity);
  }
}

/** Applies one side of a fill. A buyer pays the cost; a seller gets its price, and its cost basis leaves the position. */
function trade(order: Order, yesPriceUnits: number, quantity: number, costUnits: number): void {
  if (order.side === 'buy') {
    order.position.account.cashUnits -= costUnits;
    order.position.add(order.outcome, quantity, costUnits);
  } else {
    order.position.account.cashUnits +=
      quantity * (order.outcome === 'yes' ? yesPriceUnits : SHARE_UNITS - yesPriceUnits);
    order.position.add(order.outcome, -quantity, -costUnits);
  }
}
