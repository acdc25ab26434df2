import type { AuditableEvent } from '../../journal/auditable-event.ts';
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
 * Compares an order, a change of one or a merge with the public part of its command. This is weaker than deciding the
 * command again, but possible where private parts were withheld.
 * @param command of the same event; null where it has none
 * @throws Fault
 */
export function checkOrderAsAsked(stored: AuditableEvent, event: unknown, command: unknown): void {
  const [done, asked] = [event as Fields, command as Fields | undefined];
  switch (stored.type) {
    case 'OrderPlaced':
      checkCommand(stored, asked, 'PlaceOrder');
      checkSame(stored, done, asked, [...PLACED, ...namesInOrder(asked)]);
      return;
    case 'OrderAmended':
    case 'OrderReplaced':
      checkCommand(stored, asked, 'AmendOrder');
      checkSame(stored, done, asked, ['orderId', ...given(asked, ['priceUnits', 'quantity'])]);
      return;
    case 'SharesMerged':
      checkCommand(stored, asked, 'MergeShares');
      checkSame(stored, done, asked, ['marketId', ...given(asked, ['quantity'])]);
      return;
    case 'OrderCancelled':
      // A decision's later events have no command beside them.
      if (asked?.['type'] !== 'CancelOrders') return;
      checkSame(stored, done, asked, ['accountId', ...given(asked, ['marketId', 'outcome', 'side'])]);
      return;
    default:
  }
}

/** A limit order by notional buys as many shares as the amount pays for; a market order's price follows from the book. */
function namesInOrder(request: Fields): readonly string[] {
  return [
    ...(request['notionalUnits'] === null ? ['quantity'] : []),
    ...(request['orderType'] === 'limit' ? ['priceUnits'] : []),
  ];
}

/** The names whose fields the command gives. */
function given(asked: Fields, names: readonly string[]): readonly string[] {
  return names.filter((name) => asked[name] !== null);
}

function checkCommand(stored: AuditableEvent, asked: Fields | undefined, type: string): asserts asked is Fields {
  if (asked?.['type'] !== type) throw fault(stored, `its command is ${String(asked?.['type'])}`, type);
}

function checkSame(stored: AuditableEvent, done: Fields, asked: Fields, names: readonly string[]): void {
  const what = stored.type === 'SharesMerged' ? 'merge' : 'order';
  for (const name of names) {
    if (done[name] === asked[name]) continue;
    const shown = (fields: Fields): string => `${name} ${JSON.stringify(fields[name])}`;
    throw fault(stored, `the ${what} has the ${shown(done)}`, `the ${shown(asked)}, as its command asks for`);
  }
}

function fault(stored: AuditableEvent, found: string, expected: string): Fault {
  return new Fault('decided again', stored.seq, stored, found, expected);
}
