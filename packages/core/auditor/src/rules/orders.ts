import type { EventOf, OrderAnnounced } from '../events/judged-events.ts';
import { bidsYes, insertIntoBook, isOrderOf, removeFromBook, reserve, toYes } from '../ledger/ledger.ts';
import type { Arrival, BookMarket, Incoming, Ledger, RestingOrder } from '../ledger/ledger.ts';
import { limitedFigures } from './mandates.ts';
import { checkNothingDue } from './timers.ts';

/** The most shares that an order may ask for. The shares that an amount of money buys may be more. */
const SHARES_MAX = 500;
const EXPIRY_MAX_MS = 366 * 86_400_000;

/** Notes what an order's decision announces, to be compared with the events that follow. */
export function placeOrder(ledger: Ledger, event: EventOf<'OrderPlaced'>): void {
  const { at, expiresAt, notionalUnits, orderType, postOnly, quantity, timeInForce } = event;
  const mayRest = orderType === 'limit' && timeInForce === 'GTC';
  const mayExpire = expiresAt === null || (expiresAt > at && expiresAt <= at + EXPIRY_MAX_MS);
  ledger.must(mayExpire, 'nothing outlives its time', () => `it expires at ${String(expiresAt)}`);
  checkSize(ledger, event, notionalUnits !== null);
  arrive(ledger, {
    announced: event,
    createdAt: at,
    expiresAt,
    filledCost: 0,
    notionalUnits,
    orderType,
    postOnly,
    shares: quantity,
    timeInForce,
  });
  const fits = mayRest || (!postOnly && expiresAt === null);
  ledger.must(fits, 'limits hold', 'it is post-only or expires, and cannot rest');
}

/** Lowers the total of a resting order, which keeps its place. */
export function amendOrder(ledger: Ledger, event: EventOf<'OrderAmended'>): void {
  const order = namedOrder(ledger, event);
  const { quantity, remaining, removed } = event;
  ledger.must(
    event.priceUnits === order.priceUnits &&
      Number.isSafeInteger(removed) &&
      removed > 0 &&
      remaining > 0 &&
      remaining === order.remaining - removed &&
      quantity === order.quantity - removed,
    'quantities add up',
    () => `${order.remaining} of ${order.quantity} remain at ${order.priceUnits}`,
  );
  checkSize(ledger, event);
  checkNothingDue(ledger, event.at);
  ledger.checkOpen(event.accountId);
  reserve(ledger, order, -removed);
  order.remaining = remaining;
  order.quantity = quantity;
}

/** Takes a resting order out of its book, and lets it arrive again with another price or total. */
export function replaceOrder(ledger: Ledger, event: EventOf<'OrderReplaced'>): void {
  const order = namedOrder(ledger, event);
  const { filledQuantity, formerPriceUnits, formerRemaining, quantity } = event;
  ledger.must(
    formerPriceUnits === order.priceUnits &&
      formerRemaining === order.remaining &&
      filledQuantity === order.quantity - order.remaining &&
      quantity > filledQuantity,
    'quantities add up',
    () => `${order.remaining} of ${order.quantity} remain at ${order.priceUnits}`,
  );
  const isReplaced = event.priceUnits !== formerPriceUnits || quantity > order.quantity;
  ledger.must(isReplaced, 'price-time priority', 'an order whose total is lowered at the same price keeps its place');
  checkSize(ledger, event, quantity === order.quantity);
  const { createdAt, expiresAt, filledCost, postOnly } = order;
  // The limits of a mandate apply to the figures before the order left the book.
  const before = limitedFigures(ledger, event);
  reserve(ledger, order, -order.remaining);
  removeFromBook(ledger, ledger.market(order.marketId), order);
  const arrival: Arrival = {
    announced: event,
    createdAt,
    expiresAt,
    filledCost,
    notionalUnits: null,
    orderType: 'limit',
    postOnly,
    shares: quantity - filledQuantity,
    timeInForce: 'GTC',
  };
  arrive(ledger, arrival, before);
}

function checkSize(
  ledger: Ledger,
  { accountId, quantity }: EventOf<'OrderAmended'> | OrderAnnounced,
  isNotAsked = false,
): void {
  const fits = quantity <= SHARES_MAX || isNotAsked || ledger.account(accountId).playsTape;
  ledger.must(fits, 'limits hold', () => `an order for ${quantity} shares`);
}

function namedOrder(ledger: Ledger, event: EventOf<'OrderAmended' | 'OrderReplaced'>): RestingOrder {
  const order = ledger.resting(event.orderId);
  const isSame = isOrderOf(event, order) && event.createdAt === order.createdAt;
  ledger.must(isSame, 'an event names what exists', 'the event tells its order differently from what it is');
  const named = [event.expiresAt, event.filledCostUnits, event.postOnly];
  const known = ledger.rulesVersion < 5 ? [null, null, null] : [order.expiresAt, order.filledCost, order.postOnly];
  ledger.must(
    named.every((value, index) => value === known[index]),
    'an event names what exists',
    () => `the order has expiresAt, filledCostUnits and postOnly ${JSON.stringify(known)}`,
  );
  return order;
}

function arrive(ledger: Ledger, arrival: Arrival, before = limitedFigures(ledger, arrival.announced)): void {
  const { announced, expiresAt, shares } = arrival;
  ledger.must(ledger.incoming === null, 'a decision is whole', 'an order is placed inside the decision of another');
  const market = ledger.market(announced.marketId);
  checkMarketTakes(ledger, market, announced.at);
  ledger.checkOpen(announced.accountId);
  const isInTime = expiresAt === null || announced.at < expiresAt;
  ledger.must(isInTime, 'nothing outlives its time', () => `it expired at ${String(expiresAt)}`);
  checkNothingDue(ledger, announced.at);
  const { fillQuantity, restQuantity, priceUnits } = announced;
  ledger.must(
    isCount(fillQuantity) &&
      isCount(restQuantity) &&
      Number.isSafeInteger(shares) &&
      shares > 0 &&
      fillQuantity + restQuantity <= shares,
    'quantities add up',
    () => `${fillQuantity} to fill, ${restQuantity} to rest of ${shares}`,
  );
  const isPrice = priceUnits >= 100 && priceUnits <= 9_900 && priceUnits % market.tick === 0;
  ledger.must(isPrice, 'limits hold', () => `${priceUnits} is no price on a tick of ${market.tick}`);
  const mayRest = arrival.orderType === 'limit' && arrival.timeInForce === 'GTC';
  ledger.must(restQuantity === 0 || mayRest, 'a decision is whole', 'only a good-till-cancelled limit order rests');
  ledger.must(!arrival.postOnly || fillQuantity === 0, 'a post-only order takes nothing', () => `${fillQuantity} fill`);
  // Written as literals: spreads took a tenth of this judge's time in a profile.
  ledger.incoming = {
    announced,
    createdAt: arrival.createdAt,
    expiresAt,
    filledCost: arrival.filledCost,
    notionalUnits: arrival.notionalUnits,
    orderType: arrival.orderType,
    postOnly: arrival.postOnly,
    shares,
    timeInForce: arrival.timeInForce,
    yesLimit: toYes(announced.outcome, priceUnits),
    bid: bidsYes(announced.side, announced.outcome),
    before,
    filled: 0,
    spent: 0,
    rested: false,
    cancelled: null,
  };
  if (fillQuantity === 0) restOrder(ledger, ledger.incoming);
}

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

function checkMarketTakes(ledger: Ledger, market: BookMarket, at: number): void {
  if (market.phase !== 'active') {
    throw ledger.violation('a market takes orders only while active', `${market.marketId} is ${market.phase}`);
  }
  ledger.must(
    ledger.rulesVersion < 2 || !market.hasClosingTime || at < market.closesAt,
    'a market takes orders only while active',
    () => `${market.marketId} closed at ${market.closesAt}`,
  );
}

/** Puts the rest of the incoming order into the book after its last fill. */
export function restOrder(ledger: Ledger, incoming: Incoming): void {
  const { announced, createdAt, expiresAt, postOnly } = incoming;
  if (announced.restQuantity === 0) return;
  incoming.rested = true;
  const market = ledger.market(announced.marketId);
  const order: RestingOrder = {
    orderId: announced.orderId,
    accountId: announced.accountId,
    marketId: announced.marketId,
    side: announced.side,
    outcome: announced.outcome,
    priceUnits: announced.priceUnits,
    bid: incoming.bid,
    yesPrice: incoming.yesLimit,
    createdAt,
    expiresAt,
    postOnly,
    quantity: announced.quantity,
    remaining: announced.restQuantity,
    filledCost: incoming.filledCost + incoming.spent,
  };
  ledger.must(!ledger.orders.has(order.orderId), 'an event names what exists', 'the order rests already');
  insertIntoBook(market, order);
  ledger.orders.set(order.orderId, order);
  if (expiresAt !== null) ledger.expiries.add(expiresAt, ledger.seq, order);
  const account = ledger.account(order.accountId);
  account.open.add(order);
  // A replaced order does not count a second time, even if the limit was lowered meanwhile.
  ledger.must(
    announced.type === 'OrderReplaced' ||
      account.playsTape ||
      account.open.size <= (ledger.settings?.openOrdersPerAccount ?? Infinity),
    'limits hold',
    () => `${account.open.size} open orders`,
  );
  reserve(ledger, order, order.remaining);
  ledger.checkSpread(market);
  ledger.checkAccount(account);
  ledger.checkHolding(order.accountId, market, order.outcome);
}
