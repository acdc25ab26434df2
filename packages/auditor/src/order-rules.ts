import type { OrderCancelled, OrderFilled, OrderPlaced } from './judged-events.ts';
import type { Outcome, Side } from './judged-commands.ts';
import { bidsYes, forget, holdingOf, insert, toYes } from './ledger.ts';
import type { BookMarket, Incoming, Ledger, RestingOrder } from './ledger.ts';

/** Applies an order's placement: stores what its decision announces, and compares it with the events that follow. */
export function placeOrder(ledger: Ledger, event: OrderPlaced): void {
  ledger.must(ledger.incoming === null, 'a decision is whole', 'an order is placed inside the decision of another');
  const market = ledger.market(event.marketId);
  ledger.must(
    market.phase === 'active',
    'a market takes orders only while active',
    () => `${market.marketId} is ${market.phase}`,
  );
  ledger.must(
    ledger.rulesVersion < 2 || !market.hasClosingTime || event.at < market.closesAt,
    'a market takes orders only while active',
    () => `${market.marketId} closed at ${market.closesAt}`,
  );
  const { fillQuantity, restQuantity, quantity, priceUnits } = event;
  ledger.must(
    [fillQuantity, restQuantity].every((n) => Number.isSafeInteger(n) && n >= 0) &&
      Number.isSafeInteger(quantity) &&
      quantity > 0 &&
      fillQuantity + restQuantity <= quantity,
    'quantities add up',
    () => `${fillQuantity} to fill, ${restQuantity} to rest of ${quantity}`,
  );
  ledger.must(
    priceUnits >= 100 && priceUnits <= 9_900 && priceUnits % market.tick === 0,
    'limits hold',
    () => `${priceUnits} is no price on a tick of ${market.tick}`,
  );
  const mayRest = event.orderType === 'limit' && event.timeInForce === 'GTC';
  ledger.must(restQuantity === 0 || mayRest, 'a decision is whole', 'only a good-till-cancelled limit order rests');
  ledger.incoming = {
    placed: event,
    yesLimit: toYes(event.outcome, priceUnits),
    bid: bidsYes(event.side, event.outcome),
    filled: 0,
    spent: 0,
    rested: false,
    cancelled: null,
  };
  if (fillQuantity === 0) rest(ledger, ledger.incoming);
}

/** Puts the rest of the incoming order into the book after its last fill. */
function rest(ledger: Ledger, incoming: Incoming): void {
  const { placed } = incoming;
  if (placed.restQuantity === 0) return;
  incoming.rested = true;
  const market = ledger.market(placed.marketId);
  const order: RestingOrder = {
    orderId: placed.orderId,
    accountId: placed.accountId,
    marketId: placed.marketId,
    side: placed.side,
    outcome: placed.outcome,
    priceUnits: placed.priceUnits,
    bid: incoming.bid,
    yesPrice: incoming.yesLimit,
    remaining: placed.restQuantity,
  };
  ledger.must(!ledger.orders.has(order.orderId), 'an event names what exists', 'the order rests already');
  insert(market, order);
  ledger.orders.set(order.orderId, order);
  const account = ledger.account(order.accountId);
  account.openOrders += 1;
  ledger.must(
    account.openOrders <= (ledger.settings?.openOrdersPerAccount ?? Infinity),
    'limits hold',
    () => `${account.openOrders} open orders`,
  );
  reserve(ledger, order, order.remaining);
  ledger.checkSpread(market);
  ledger.checkAccount(account);
  ledger.checkHolding(order.accountId, market, order.outcome);
}

/** Fills the incoming order with the first order of the opposing side, at that order's price. */
export function fillOrder(ledger: Ledger, event: OrderFilled): void {
  const incoming = ledger.incoming;
  if (incoming?.placed.orderId !== event.takerOrderId || incoming.cancelled !== null || incoming.rested) {
    throw ledger.violation('a decision is whole', 'a fill belongs to the order that was just placed');
  }
  const { placed } = incoming;
  const market = ledger.market(event.marketId);
  const best = (incoming.bid ? market.asks : market.bids)[0];
  ledger.must(
    best?.orderId === event.makerOrderId,
    'price-time priority',
    () => `${best?.orderId ?? 'nobody'} is first`,
  );
  const maker = best as RestingOrder;
  ledger.must(
    event.yesPriceUnits === maker.yesPrice,
    'trades at the price of the maker',
    () => `it asks ${maker.yesPrice}`,
  );
  ledger.must(
    incoming.bid ? event.yesPriceUnits <= incoming.yesLimit : event.yesPriceUnits >= incoming.yesLimit,
    "never worse than the taker's limit",
    () => `its limit is ${incoming.yesLimit} in YES terms`,
  );
  ledger.must(
    event.makerAccountId === maker.accountId &&
      event.makerSide === maker.side &&
      event.makerOutcome === maker.outcome &&
      event.takerAccountId === placed.accountId &&
      event.takerSide === placed.side &&
      event.takerOutcome === placed.outcome &&
      placed.marketId === event.marketId,
    'an event names what exists',
    'the fill tells its orders differently from what they are',
  );
  ledger.must(
    ledger.areOfOneFleet(maker.accountId, placed.accountId) !== true,
    'no self-trade',
    () => `both belong to ${String(ledger.account(maker.accountId).owner)}`,
  );
  const { quantity } = event;
  ledger.must(
    Number.isSafeInteger(quantity) &&
      quantity > 0 &&
      event.makerRemaining === maker.remaining - quantity &&
      event.makerRemaining >= 0 &&
      incoming.filled + quantity <= placed.fillQuantity &&
      event.takerRemaining === placed.quantity - incoming.filled - quantity,
    'quantities add up',
    () => `the maker had ${maker.remaining}, the taker ${placed.quantity - incoming.filled}`,
  );
  const kind = maker.side !== placed.side ? 'transfer' : placed.side === 'buy' ? 'mint' : 'merge';
  ledger.must(
    event.kind === kind && (kind === 'transfer') === (maker.outcome === placed.outcome),
    'an event names what exists',
    () => `it is a ${kind}`,
  );

  maker.remaining -= quantity;
  reserve(ledger, maker, -quantity);
  if (maker.remaining === 0) remove(ledger, market, maker);
  const locked = kind === 'mint' ? quantity : kind === 'merge' ? -quantity : 0;
  market.pairs += locked;
  ledger.locked += locked * 10_000;
  move(ledger, market, maker.accountId, maker.side, maker.outcome, event, event.makerCostUnits);
  move(ledger, market, placed.accountId, placed.side, placed.outcome, event, event.takerCostUnits);
  ledger.checkPairs(market);
  incoming.filled += quantity;
  incoming.spent += toYes(placed.outcome, event.yesPriceUnits) * quantity;
  if (placed.side === 'buy' && placed.notionalUnits !== null) {
    ledger.must(incoming.spent <= placed.notionalUnits, 'limits hold', () => `spent ${incoming.spent} of the notional`);
  }
  if (incoming.filled === placed.fillQuantity) rest(ledger, incoming);
}

/** Applies one side of a fill: money one way, shares the other. */
function move(
  ledger: Ledger,
  market: BookMarket,
  accountId: string,
  side: Side,
  outcome: Outcome,
  fill: OrderFilled,
  cost: number,
): void {
  const account = ledger.account(accountId);
  const holding = holdingOf(market, accountId);
  const paid = toYes(outcome, fill.yesPriceUnits) * fill.quantity;
  const expected =
    side === 'buy'
      ? paid
      : Number((BigInt(holding.cost[outcome]) * BigInt(fill.quantity)) / BigInt(holding.shares[outcome] || 1));
  ledger.must(
    cost === expected,
    'costs are right',
    () => `${side} ${outcome} of ${accountId} costs ${expected}, not ${cost}`,
  );
  const sign = side === 'buy' ? 1 : -1;
  account.cash -= sign * paid;
  ledger.cash -= sign * paid;
  holding.shares[outcome] += sign * fill.quantity;
  market.shares[outcome] += sign * fill.quantity;
  holding.cost[outcome] += sign * cost;
  ledger.checkAccount(account);
  ledger.checkHolding(accountId, market, outcome);
  forget(market, accountId);
}

/** An unfilled rest ends with its decision; a resting order leaves the book with all its remaining shares. */
export function cancelOrder(ledger: Ledger, event: OrderCancelled): void {
  const market = ledger.market(event.marketId);
  const incoming = ledger.incoming;
  if (!event.resting) {
    if (incoming?.placed.orderId !== event.orderId || incoming.cancelled !== null) {
      throw ledger.violation('a decision is whole', 'what did not rest is cancelled by its own decision, once');
    }
    const { placed } = incoming;
    ledger.must(
      event.accountId === placed.accountId &&
        event.outcome === placed.outcome &&
        event.side === placed.side &&
        event.priceUnits === placed.priceUnits &&
        event.quantity === placed.quantity - placed.fillQuantity - placed.restQuantity &&
        event.quantity > 0,
      'quantities add up',
      'the cancel tells its order differently from what it is',
    );
    incoming.cancelled = { quantity: event.quantity, reason: event.reason };
    return;
  }
  const order = ledger.orders.get(event.orderId);
  if (order === undefined) throw ledger.violation('an event names what exists', 'no such order rests');
  ledger.must(
    event.accountId === order.accountId &&
      event.marketId === order.marketId &&
      event.outcome === order.outcome &&
      event.side === order.side &&
      event.priceUnits === order.priceUnits &&
      event.quantity === order.remaining,
    'quantities add up',
    () => `${order.remaining} remain at ${order.priceUnits}`,
  );
  const reasons = { closed: 'market_closed', settling: 'market_resolved' } as const;
  const due = market.phase === 'closed' || market.phase === 'settling' ? reasons[market.phase] : 'user';
  ledger.must(
    event.reason === due || event.reason === 'user',
    'a decision is whole',
    () => `a resting order of a market that is ${market.phase} ends as ${due}`,
  );
  if (event.reason === 'market_resolved') market.cancelledInRun += 1;
  reserve(ledger, order, -order.remaining);
  remove(ledger, market, order);
  forget(market, order.accountId);
}

/** Ends the decision: its events must match exactly what its OrderPlaced announced. */
export function endOfOrder(ledger: Ledger): void {
  const incoming = ledger.incoming;
  if (incoming === null) return;
  ledger.event = incoming.placed;
  const { placed, filled, cancelled } = incoming;
  const rest = incoming.rested ? placed.restQuantity : 0;
  const ended = cancelled?.quantity ?? 0;
  ledger.must(
    filled === placed.fillQuantity && incoming.rested === placed.restQuantity > 0,
    'a decision is whole',
    () => `${filled} of ${placed.fillQuantity} filled, ${rest} of ${placed.restQuantity} rested`,
  );
  ledger.must(
    filled + rest + ended === placed.quantity,
    'quantities add up',
    () => `${filled} filled + ${rest} resting + ${ended} cancelled ≠ ${placed.quantity}`,
  );
  if (placed.timeInForce === 'FOK') {
    ledger.must(filled === 0 || ended === 0, 'a decision is whole', 'a fill-or-kill order was filled in part');
  }
  checkPassedOver(ledger, incoming);
  ledger.incoming = null;
}

/** An order that ended for lack of liquidity must not have left any that it could have taken. */
function checkPassedOver(ledger: Ledger, { placed, bid, yesLimit, cancelled }: Incoming): void {
  if (cancelled === null) return;
  const market = ledger.market(placed.marketId);
  const best = (bid ? market.asks : market.bids)[0];
  const within = best !== undefined && (bid ? best.yesPrice <= yesLimit : best.yesPrice >= yesLimit);
  const isOwn = within ? ledger.areOfOneFleet(best.accountId, placed.accountId) : false;
  if (cancelled.reason === 'no_liquidity' || (cancelled.reason === 'ioc_remainder' && placed.notionalUnits === null)) {
    ledger.must(!within, 'liquidity is not passed over', () => `${best?.orderId ?? ''} stands within its limit`);
  }
  if (cancelled.reason === 'self_trade' && placed.timeInForce !== 'FOK') {
    ledger.must(isOwn !== false, 'liquidity is not passed over', 'no order of its owner stands first within its limit');
  }
  // Whether a fill-or-kill order without fills was right can only be seen by deciding it again.
  if (cancelled.reason === 'self_trade' && (isOwn === null || placed.timeInForce === 'FOK')) {
    ledger.unprovenSelfTrades += 1;
  }
  if (cancelled.reason === 'fill_limit') {
    ledger.must(within, 'liquidity is not passed over', 'nothing more was there to fill');
  }
}

function reserve(ledger: Ledger, order: RestingOrder, shares: number): void {
  if (order.side === 'buy') ledger.account(order.accountId).reserved += order.priceUnits * shares;
  else holdingOf(ledger.market(order.marketId), order.accountId).reserved[order.outcome] += shares;
}

function remove(ledger: Ledger, market: BookMarket, order: RestingOrder): void {
  const list = order.bid ? market.bids : market.asks;
  list.splice(list.indexOf(order), 1);
  ledger.orders.delete(order.orderId);
  ledger.account(order.accountId).openOrders -= 1;
}
