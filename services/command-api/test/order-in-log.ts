import { amendAnswer, orderAnswer } from '@paper/exchange';
import type { OrderAnswer } from '@paper/exchange';
import type { ExchangeEvent } from '@paper/exchange/events';
import { inOwnTerms } from '@paper/exchange/vocabulary';
import { decode } from '@paper/journal';
import type { MemoryLog } from '@paper/journal';
import type { OwnedOrder } from '../src/index.ts';

/** Finds an order, as it is now, by scanning the log. */
export function orderIn(log: MemoryLog, orderId: string): OwnedOrder | null {
  const decoded = log.events.map(decode);
  const decisions = decoded.flatMap(({ decisionEvents }, index) =>
    decisionEvents === null ? [] : [decoded.slice(index, index + decisionEvents)],
  );
  let order: OrderAnswer | null = null;
  let [seq, costUnits] = [0, 0];
  for (const decision of decisions) {
    const events = decision.map(({ event }) => event);
    const own = events.filter((event) => isOf(event, orderId));
    if (own.length === 0) continue;
    order = after(order, events, own);
    const { outcome } = order;
    for (const event of own) {
      if (event.type === 'OrderFilled') costUnits += inOwnTerms(outcome, event.yesPriceUnits) * event.quantity;
    }
    seq = decision.findLast(({ event }) => isOf(event, orderId))?.seq ?? seq;
  }
  if (order === null) return null;
  const { accountId, filledQty } = order;
  const sub = decoded.find(({ event }) => event.type === 'SubAccountOpened' && event.accountId === accountId)?.event;
  return {
    ...order,
    averagePriceUnits: filledQty === 0 ? null : Math.round(costUnits / filledQty),
    primaryAccountId: sub?.type === 'SubAccountOpened' ? sub.primaryAccountId : null,
    seq,
  };
}

function isOf(event: ExchangeEvent, orderId: string): boolean {
  if (event.type === 'OrderFilled') return event.makerOrderId === orderId || event.takerOrderId === orderId;
  return 'orderId' in event && event.orderId === orderId;
}

/** The order after a decision, of which `own` are the events about it. */
function after(
  order: OrderAnswer | null,
  events: readonly ExchangeEvent[],
  own: readonly ExchangeEvent[],
): OrderAnswer {
  if (events[0]?.type === 'OrderPlaced' && events[0] === own[0]) return orderAnswer(events);
  if (order === null) throw new Error('an order begins with its OrderPlaced');
  if (events[0] === own[0] && events[0]?.type !== 'OrderCancelled') {
    const { clientOrderId, expiresAt, postOnly } = order;
    return { ...amendAnswer(events), clientOrderId, expiresAt, postOnly };
  }
  return own.reduce((so: OrderAnswer, event): OrderAnswer => {
    if (event.type === 'OrderCancelled') return { ...so, reason: event.reason, reservedUnits: 0, status: 'cancelled' };
    if (event.type !== 'OrderFilled') return so;
    const { makerRemaining: left } = event;
    const reservedUnits = so.side === 'buy' ? left * so.priceUnits : 0;
    return { ...so, filledQty: so.quantity - left, reservedUnits, status: left === 0 ? 'filled' : 'partial' };
  }, order);
}
