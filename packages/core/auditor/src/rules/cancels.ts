import type { CancelReason, EventOf } from '../events/judged-events.ts';
import { removeIfEmpty, isOrderOf, removeFromBook, reserve } from '../ledger/ledger.ts';
import type { BookMarket, Ledger, RestingOrder } from '../ledger/ledger.ts';

export function cancelOrder(ledger: Ledger, event: EventOf<'OrderCancelled'>): void {
  if (event.resting) cancelResting(ledger, event);
  else cancelUnfilled(ledger, event);
}

const AT_ONCE: ReadonlySet<CancelReason> = new Set([
  'fill_limit',
  'fok_unfillable',
  'ioc_remainder',
  'no_liquidity',
  'post_only',
  'self_trade',
]);

function cancelUnfilled(ledger: Ledger, event: EventOf<'OrderCancelled'>): void {
  const incoming = ledger.incoming;
  if (incoming?.announced.orderId !== event.orderId || incoming.cancelled !== null) {
    throw ledger.violation('a decision is whole', 'what did not rest is cancelled by its own decision, once');
  }
  const { announced, postOnly, shares } = incoming;
  ledger.must(
    isOrderOf(event, announced) &&
      event.priceUnits === announced.priceUnits &&
      event.quantity === shares - announced.fillQuantity - announced.restQuantity &&
      event.quantity > 0,
    'quantities add up',
    'the cancel tells its order differently from what it is',
  );
  if (!AT_ONCE.has(event.reason)) {
    throw ledger.violation('a decision is whole', `an order that arrives never ends as ${event.reason}`);
  }
  ledger.must(
    postOnly ? event.reason === 'post_only' || event.reason === 'self_trade' : event.reason !== 'post_only',
    'a post-only order takes nothing',
    () => `an order that is ${postOnly ? '' : 'not '}post-only ends as ${event.reason}`,
  );
  incoming.cancelled = { quantity: event.quantity, reason: event.reason };
}

function cancelResting(ledger: Ledger, event: EventOf<'OrderCancelled'>): void {
  const market = ledger.market(event.marketId);
  const order = ledger.resting(event.orderId);
  const isSame = isOrderOf(event, order) && event.priceUnits === order.priceUnits && event.quantity === order.remaining;
  ledger.must(isSame, 'quantities add up', () => `${order.remaining} remain at ${order.priceUnits}`);
  checkReason(ledger, event, order, market);
  if (event.reason === 'market_resolved') market.cancelledInRun += 1;
  reserve(ledger, order, -order.remaining);
  removeFromBook(ledger, market, order);
  removeIfEmpty(market, order.accountId);
}

function checkReason(
  ledger: Ledger,
  { at, reason }: EventOf<'OrderCancelled'>,
  order: RestingOrder,
  market: BookMarket,
): void {
  if (reason === 'expired') {
    const { expiresAt } = order;
    ledger.must(expiresAt !== null && at >= expiresAt, 'nothing outlives its time', () =>
      expiresAt === null ? 'the order never expires' : `the order expires at ${expiresAt}`,
    );
    return;
  }
  if (reason === 'account_closed') {
    if (!ledger.account(order.accountId).closed) {
      throw ledger.violation('a decision is whole', `the account ${order.accountId} is open`);
    }
    return;
  }
  if (reason === 'dead_man_switch') {
    const { cancelsAt } = ledger.account(order.accountId);
    ledger.must(cancelsAt === undefined || (cancelsAt !== null && at >= cancelsAt), 'a decision is whole', () =>
      cancelsAt === null ? 'no dead-man switch is armed' : `the dead-man switch is due at ${String(cancelsAt)}`,
    );
    return;
  }
  const reasons = { closed: 'market_closed', settling: 'market_resolved' } as const;
  const due = market.phase === 'closed' || market.phase === 'settling' ? reasons[market.phase] : 'user';
  const isDue = reason === due || reason === 'user';
  ledger.must(isDue, 'a decision is whole', () => `a resting order of a market that is ${market.phase} ends as ${due}`);
}
