import type { AuditableEvent } from '../../journal/audited-event.ts';
import { Fault } from '../../journal/fault.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The fields that an order shares with its command; their values must be equal. The last two are new in version 2. */
const PLACED = [
  'marketId',
  'notionalUnits',
  'orderId',
  'orderType',
  'outcome',
  'side',
  'timeInForce',
  'expiresAt',
  'postOnly',
] as const;

/**
 * Compares an order, a change of an order, or a merge with its command's public part: less than deciding the command
 * again, but possible where private parts were withheld. @throws Fault
 */
export function checkOrderAsRequested(stored: AuditableEvent, publicEvent: unknown, command: unknown): void {
  const [event, request] = [publicEvent as Fields, command as Fields | undefined];
  switch (stored.type) {
    case 'OrderPlaced':
      checkCommand(stored, request, 'PlaceOrder');
      checkSame(stored, event, request, [...PLACED, ...requestedNames(request)]);
      return;
    case 'OrderAmended':
    case 'OrderReplaced':
      checkCommand(stored, request, 'AmendOrder');
      checkSame(stored, event, request, ['orderId', ...given(request, ['priceUnits', 'quantity'])]);
      return;
    case 'SharesMerged':
      checkCommand(stored, request, 'MergeShares');
      checkSame(stored, event, request, ['marketId', ...given(request, ['quantity'])]);
      return;
    case 'OrderCancelled':
      // Only a decision's first event carries its command, so later cancels are not compared.
      if (request?.['type'] !== 'CancelOrders') return;
      checkSame(stored, event, request, ['accountId', ...given(request, ['marketId', 'outcome', 'side'])]);
      return;
    default:
  }
}

/** A limit order by notional buys what the amount pays for; a market order's price follows from the book. */
function requestedNames(request: Fields): readonly string[] {
  return [
    ...(request['notionalUnits'] === null ? ['quantity'] : []),
    ...(request['orderType'] === 'limit' ? ['priceUnits'] : []),
  ];
}

const given = (request: Fields, names: readonly string[]): readonly string[] =>
  names.filter((name) => request[name] !== null);

function checkCommand(stored: AuditableEvent, request: Fields | undefined, type: string): asserts request is Fields {
  if (request?.['type'] !== type) throw fault(stored, `its command is ${String(request?.['type'])}`, type);
}

function checkSame(stored: AuditableEvent, event: Fields, request: Fields, names: readonly string[]): void {
  const what = stored.type === 'SharesMerged' ? 'merge' : 'order';
  for (const name of names) {
    if (event[name] === request[name]) continue;
    const shown = (fields: Fields): string => `${name} ${JSON.stringify(fields[name])}`;
    throw fault(stored, `the ${what} has the ${shown(event)}`, `the ${shown(request)}, as its command asks for`);
  }
}

const fault = (stored: AuditableEvent, found: string, expected: string): Fault =>
  new Fault('decided again', stored.seq, stored, found, expected);
