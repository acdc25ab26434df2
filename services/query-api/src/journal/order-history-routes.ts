import { ApiError, endpoints } from '@paper/contracts';
import { OrderHistory } from '@paper/contracts/orders';
import type { OrderHistoryEntryView } from '@paper/contracts/orders';
import type { PublicJournalEvent } from '@paper/journal';
import { queries } from '@paper/read-models';
import { orderHistoryPosition } from '../paging/paging.ts';
import type { Handlers, RouteParts } from '../route-parts.ts';

/** The history of an order: fills and changes from the read models, the placement and the cancel from the journal. */
export function orderHistoryHandlers({ journal, paging, readModels, turns }: RouteParts): Handlers {
  return {
    getOrderHistory: async (caller, input, client) => {
      const { id } = input.params;
      const pageRequest = paging.request(endpoints.getOrderHistory, caller, input, orderHistoryPosition);
      return turns.use(caller, client, async (signal) => {
        const { page, seq } = await readModels.readLong(
          async (view) => ({
            page: await queries.findOrderHistory(view.db, caller.accountId, id, pageRequest),
            seq: view.seq,
          }),
          signal,
        );
        if (page === null) throw new ApiError('not_found', `No order of yours has the id ${id}`);
        const placed = await journal.event(page.placedSeq, signal);
        const cancelled = page.cancelledSeq === null ? null : await journal.event(page.cancelledSeq, signal);
        return {
          body: OrderHistory.body({ order: page.order, history: entries(page, placed, cancelled) }),
          seq,
          ...pageRequest.linkTo(page.next),
        };
      });
    },
  };
}

/** What an order's newest placement or change did: the quantities that it fills at once, and that rest after it. */
interface Entered {
  readonly priceUnits: number;
  readonly filledBefore: number;
  readonly fillQuantity: number;
  readonly restQuantity: number;
}

function entries(
  page: queries.OrderHistoryPage,
  { seq, id, event: placed }: PublicJournalEvent,
  cancelled: PublicJournalEvent | null,
): readonly OrderHistoryEntryView[] {
  if (placed.type !== 'OrderPlaced') throw new Error(`event ${seq} is no placement of an order`);
  const { changedBefore, order } = page;
  const history: OrderHistoryEntryView[] = [];
  let filledQty = page.filledBefore;
  let entered: Entered = changedBefore === null ? { ...placed, filledBefore: 0 } : changeEntered(changedBefore);
  if (page.isFirst) {
    const { quantity, priceUnits, at } = placed;
    const what = { type: 'OrderPlaced', reason: 'placed', status: 'open', cashUnits: 0 } as const;
    const by = key(page, page.placedKeyId);
    const reservedUnits = reserved(order, entered, 0);
    history.push({ ...what, ...by, seq, id, quantity, priceUnits, filledQty, reservedUnits, at });
  }
  for (const step of page.steps) {
    if (step.kind === 'change') {
      entered = changeEntered(step.change);
      const reservedUnits = reserved(order, entered, filledQty);
      const by = key(page, step.change.key_id);
      history.push({ ...changeEntry(step.change), ...by, cashUnits: 0, filledQty, reservedUnits });
    } else {
      filledQty += step.fill.quantity;
      const status = filledQty === order.quantity ? 'filled' : 'partial';
      const reservedUnits = reserved(order, entered, filledQty);
      history.push({ ...fillEntry(order, step.fill), ...key(page, null), filledQty, status, reservedUnits });
    }
  }
  if (cancelled?.event.type === 'OrderCancelled') {
    const { quantity, priceUnits, reason, at } = cancelled.event;
    const what = { type: 'OrderCancelled', status: 'cancelled', cashUnits: 0, reservedUnits: 0 } as const;
    const { id, seq: endedSeq } = cancelled;
    const by = key(page, page.cancelledKeyId);
    history.push({ ...what, ...by, seq: endedSeq, id, reason, quantity, priceUnits, filledQty, at });
  }
  return history;
}

function key({ keyNames }: queries.OrderHistoryPage, keyId: string | null) {
  return { keyId, keyName: keyId === null ? null : (keyNames.get(keyId) ?? null) };
}

type Change = NonNullable<queries.OrderHistoryPage['changedBefore']>;
type Fill = Extract<queries.OrderHistoryPage['steps'][number], { readonly kind: 'fill' }>['fill'];

function changeEntry(change: Change) {
  return {
    seq: change.seq,
    id: change.id,
    type: change.type,
    reason: change.type === 'OrderAmended' ? 'amended' : 'replaced',
    quantity: change.quantity,
    priceUnits: change.price_units,
    status: change.filled === 0 ? 'open' : 'partial',
    at: change.at_ms,
  } as const;
}

function fillEntry({ side }: queries.OrderHistoryPage['order'], fill: Fill) {
  const paidUnits = fill.price_units * fill.quantity;
  return {
    seq: fill.seq,
    id: fill.id,
    type: 'OrderFilled',
    reason: fill.role,
    quantity: fill.quantity,
    priceUnits: fill.price_units,
    cashUnits: side === 'buy' ? -paidUnits : paidUnits,
    at: fill.at_ms,
  } as const;
}

function changeEntered(change: Change): Entered {
  const { price_units: priceUnits, filled: filledBefore, fill_quantity, rest_quantity } = change;
  return { priceUnits, filledBefore, fillQuantity: fill_quantity, restQuantity: rest_quantity };
}

/** The reserved money. The unfilled part enters the book, and reserves, after the fills of its decision. */
function reserved({ side }: queries.OrderHistoryPage['order'], entered: Entered, filledQty: number): number {
  const { filledBefore, fillQuantity, restQuantity } = entered;
  const filledSince = filledQty - filledBefore;
  if (side === 'sell' || filledSince < fillQuantity) return 0;
  return (fillQuantity + restQuantity - filledSince) * entered.priceUnits;
}
