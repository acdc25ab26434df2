import type { EventOf } from '../events/judged-events.ts';
import { removeIfEmpty, getOrOpenHolding, removeFromBook, reserve, toYes } from '../ledger/ledger.ts';
import type { BookMarket, Incoming, Ledger, RestingOrder } from '../ledger/ledger.ts';
import { restOrder } from './orders.ts';

export function fillOrder(ledger: Ledger, event: EventOf<'OrderFilled'>): void {
  const incoming = ledger.incoming;
  if (incoming?.announced.orderId !== event.takerOrderId || incoming.cancelled !== null || incoming.rested) {
    throw ledger.violation('a decision is whole', 'a fill belongs to the order that was just placed');
  }
  const { announced, shares } = incoming;
  const market = ledger.market(event.marketId);
  const best = (incoming.bid ? market.asks : market.bids)[0];
  const isFirst = best?.orderId === event.makerOrderId;
  ledger.must(isFirst, 'price-time priority', () => `${best?.orderId ?? 'nobody'} is first`);
  const maker = best as RestingOrder;
  if (event.yesPriceUnits !== maker.yesPrice) {
    throw ledger.violation('trades at the price of the maker', `it asks ${maker.yesPrice}`);
  }
  const isWithin = incoming.bid ? event.yesPriceUnits <= incoming.yesLimit : event.yesPriceUnits >= incoming.yesLimit;
  ledger.must(isWithin, "never worse than the taker's limit", () => `its limit is ${incoming.yesLimit} in YES terms`);
  checkParties(ledger, event, incoming, maker);
  const { quantity } = event;
  ledger.must(
    Number.isSafeInteger(quantity) &&
      quantity > 0 &&
      event.makerRemaining === maker.remaining - quantity &&
      event.makerRemaining >= 0 &&
      incoming.filled + quantity <= announced.fillQuantity &&
      event.takerRemaining === shares - incoming.filled - quantity,
    'quantities add up',
    () => `the maker had ${maker.remaining}, the taker ${shares - incoming.filled}`,
  );

  maker.remaining -= quantity;
  maker.filledCost += toYes(maker.outcome, event.yesPriceUnits) * quantity;
  reserve(ledger, maker, -quantity);
  if (maker.remaining === 0) removeFromBook(ledger, market, maker);
  const { kind } = event;
  const locked = kind === 'mint' ? quantity : kind === 'merge' ? -quantity : 0;
  market.pairs += locked;
  ledger.locked += locked * 10_000;
  move(ledger, market, maker, event, event.makerCostUnits);
  move(ledger, market, announced, event, event.takerCostUnits);
  ledger.checkPairs(market);
  incoming.filled += quantity;
  incoming.spent += toYes(announced.outcome, event.yesPriceUnits) * quantity;
  if (announced.side === 'buy' && incoming.notionalUnits !== null) {
    if (!(incoming.spent <= incoming.notionalUnits)) {
      throw ledger.violation('limits hold', `spent ${incoming.spent} of the notional`);
    }
  }
  if (incoming.filled === announced.fillQuantity) restOrder(ledger, incoming);
}

/** Checks that a fill describes both of its orders correctly, and that they may trade with each other. */
function checkParties(
  ledger: Ledger,
  event: EventOf<'OrderFilled'>,
  { announced }: Incoming,
  maker: RestingOrder,
): void {
  ledger.must(
    event.makerAccountId === maker.accountId &&
      event.makerSide === maker.side &&
      event.makerOutcome === maker.outcome &&
      event.takerAccountId === announced.accountId &&
      event.takerSide === announced.side &&
      event.takerOutcome === announced.outcome &&
      announced.marketId === event.marketId,
    'an event names what exists',
    'the fill tells its orders differently from what they are',
  );
  if (ledger.areInOneFleet(maker.accountId, announced.accountId) === true) {
    throw ledger.violation('no self-trade', `both belong to ${String(ledger.account(maker.accountId).owner)}`);
  }
  const isInTime = maker.expiresAt === null || event.at < maker.expiresAt;
  ledger.must(isInTime, 'nothing outlives its time', () => `${maker.orderId} expired at ${String(maker.expiresAt)}`);
  const kind = maker.side !== announced.side ? 'transfer' : announced.side === 'buy' ? 'mint' : 'merge';
  const isKind = event.kind === kind && (kind === 'transfer') === (maker.outcome === announced.outcome);
  ledger.must(isKind, 'an event names what exists', () => `it is a ${kind}`);
}

function move(
  ledger: Ledger,
  market: BookMarket,
  { accountId, outcome, side }: Pick<RestingOrder, 'accountId' | 'outcome' | 'side'>,
  fill: EventOf<'OrderFilled'>,
  cost: number,
): void {
  const account = ledger.account(accountId);
  const holding = getOrOpenHolding(market, accountId);
  const paid = toYes(outcome, fill.yesPriceUnits) * fill.quantity;
  const expected =
    side === 'buy'
      ? paid
      : Number((BigInt(holding.cost[outcome]) * BigInt(fill.quantity)) / BigInt(holding.shares[outcome] || 1));
  if (cost !== expected) {
    throw ledger.violation('costs are right', `${side} ${outcome} of ${accountId} costs ${expected}, not ${cost}`);
  }
  const sign = side === 'buy' ? 1 : -1;
  account.cash -= sign * paid;
  ledger.cash -= sign * paid;
  holding.shares[outcome] += sign * fill.quantity;
  market.shares[outcome] += sign * fill.quantity;
  holding.cost[outcome] += sign * cost;
  ledger.checkAccount(account);
  ledger.checkHolding(accountId, market, outcome);
  removeIfEmpty(market, accountId);
}
