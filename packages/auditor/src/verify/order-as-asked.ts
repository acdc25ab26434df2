import { Fault } from './fault.ts';
import type { AuditableEvent } from './page.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The fields that an order shares with its command; their values must be equal. */
const SAME = ['marketId', 'notionalUnits', 'orderId', 'orderType', 'outcome', 'side', 'timeInForce'] as const;

/**
 * Compares an order with the public part of its command. This is weaker than deciding the command again, but possible
 * where private parts were withheld.
 * @param command of the same event; null where it has none
 * @throws Fault
 */
export function checkOrderAsAsked(stored: AuditableEvent, event: unknown, command: unknown): void {
  if (stored.type !== 'OrderPlaced') return;
  const [order, request] = [event as Fields, command as Fields];
  if (request['type'] !== 'PlaceOrder') throw fault(stored, `its command is ${String(request['type'])}`, 'PlaceOrder');
  const names: string[] = [...SAME];
  // A limit order by notional buys as many shares as the amount pays for; a market order's price follows from the book.
  if (request['notionalUnits'] === null) names.push('quantity');
  if (request['orderType'] === 'limit') names.push('priceUnits');
  for (const name of names) {
    if (order[name] === request[name]) continue;
    const shown = (fields: Fields): string => `${name} ${JSON.stringify(fields[name])}`;
    throw fault(stored, `the order has the ${shown(order)}`, `the ${shown(request)}, as its command asks for`);
  }
}

function fault(stored: AuditableEvent, found: string, expected: string): Fault {
  return new Fault('decided again', stored.seq, stored, found, expected);
}
