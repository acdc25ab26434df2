import { Fault } from '@paper/client-files/verify-journal';
import type { PublicEvent } from '@paper/client-files/verify-journal';
import type { CheckedReceipt } from './receipt.ts';

const UNITS_PER_DOLLAR = 10_000;

/** What the journal says about a receipt's order, in words. Throws Fault when its decision contradicts the receipt. */
export function comparedWithJournal(receipt: CheckedReceipt, decision: readonly PublicEvent[]): string {
  const { accountId, order, seq } = receipt;
  if (order === undefined) return typesOf(decision.map(({ event }) => event));
  const about = decision.map(({ event }) => event).filter(({ orderId }) => orderId === order.id);
  const [first] = about;
  if (first === undefined) {
    throw new Fault(`event ${seq} belongs to no decision about order ${order.id}, of which the receipt speaks`);
  }
  const isLimit = order.orderType === 'limit';
  const priceUnits = isLimit ? Math.round(order.price * UNITS_PER_DOLLAR) : undefined;
  const terms = { accountId, marketId: order.marketId, side: order.side, outcome: order.outcome };
  // A cancellation contains the quantity that was cancelled, not the order's quantity.
  const isWhole = first.type !== 'OrderCancelled';
  const all = { ...terms, ...(isWhole ? { quantity: order.quantity, ...(isLimit ? { priceUnits } : {}) } : {}) };
  for (const [name, value] of Object.entries(all)) {
    if (first[name] === value) continue;
    throw new Fault(
      `event ${seq}: the receipt says ${name} ${String(value)} of order ${order.id}, the journal ${String(first[name])}`,
    );
  }
  const filled = decision.reduce((sum, { event }) => sum + filledOf(event, order.id), 0);
  return `${typesOf(about)}: ${order.side} ${order.quantity} ${order.outcome === 'yes' ? 'Yes' : 'No'} in ${order.marketId}, ${filled} filled in this decision`;
}

/** The types of a decision's events, with their common time. */
function typesOf(events: readonly PublicEvent['event'][]): string {
  return `${events.map(({ type }) => type).join(', ')} at ${new Date(events[0]?.at ?? 0).toISOString()}`;
}

function filledOf(event: PublicEvent['event'], orderId: string): number {
  const isOurs = event['takerOrderId'] === orderId || event['makerOrderId'] === orderId;
  return event.type === 'OrderFilled' && isOurs ? Number(event['quantity']) : 0;
}
