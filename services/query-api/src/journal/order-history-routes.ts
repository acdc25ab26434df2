import { ApiError, endpoints, orderHistoryBody } from '@paper/contracts';
import type { OrderHistoryEntryView } from '@paper/contracts';
import type { CommandlessEvent } from '@paper/journal';
import { queries } from '@paper/read-models';
import type { ReadModels } from '@paper/read-models';
import { implement } from '@paper/service-kit';
import type { Authenticate, Route } from '@paper/service-kit';
import { orderHistoryPosition } from '../paging/paging.ts';
import type { Paging } from '../paging/paging.ts';
import type { LongReadTurns } from '../long-read-turns.ts';
import type { JournalReads } from './journal-reads.ts';

type OrderPlaced = Extract<CommandlessEvent['event'], { readonly type: 'OrderPlaced' }>;

/** The history of an order: fills from the read models, the placement and the cancel from the journal. */
export function orderHistoryRoutes(
  readModels: ReadModels,
  journal: JournalReads,
  paging: Paging,
  turns: LongReadTurns,
  authenticate: Authenticate,
): Route[] {
  return implement(
    endpoints,
    {
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
            body: orderHistoryBody(page.order, entries(page, placed, cancelled)),
            seq,
            ...pageRequest.linkTo(page.next),
          };
        });
      },
    },
    authenticate,
  );
}

function entries(
  page: queries.OrderHistoryPage,
  { seq, id, event: placed }: CommandlessEvent,
  cancelled: CommandlessEvent | null,
): readonly OrderHistoryEntryView[] {
  if (placed.type !== 'OrderPlaced') throw new Error(`event ${seq} is no placement of an order`);
  const { order, limitUnits: priceUnits } = page;
  const history: OrderHistoryEntryView[] = [];
  let filledQty = page.filledBefore;
  const reserved = () => reservedUnits(placed, filledQty);
  if (page.isFirst) {
    const { quantity, at } = placed;
    const what = { type: 'OrderPlaced', reason: 'placed', status: 'open' } as const;
    history.push({ ...what, seq, id, quantity, priceUnits, cashUnits: 0, filledQty, reservedUnits: reserved(), at });
  }
  for (const fill of page.fills) {
    filledQty += fill.quantity;
    const paidUnits = fill.price_units * fill.quantity;
    history.push({
      seq: fill.seq,
      id: fill.id,
      type: 'OrderFilled',
      reason: fill.role,
      quantity: fill.quantity,
      priceUnits: fill.price_units,
      cashUnits: order.side === 'buy' ? -paidUnits : paidUnits,
      filledQty,
      status: filledQty === order.quantity ? 'filled' : 'partial',
      reservedUnits: reserved(),
      at: fill.at_ms,
    });
  }
  if (cancelled?.event.type === 'OrderCancelled') {
    const { quantity, reason, at } = cancelled.event;
    const what = { type: 'OrderCancelled', status: 'cancelled', cashUnits: 0, reservedUnits: 0 } as const;
    history.push({ ...what, seq: cancelled.seq, id: cancelled.id, reason, quantity, priceUnits, filledQty, at });
  }
  return history;
}

/** The rest enters the book after the fills of its decision: only then is money reserved for it. */
function reservedUnits({ side, priceUnits, fillQuantity, restQuantity }: OrderPlaced, filledQty: number): number {
  if (side === 'sell' || filledQty < fillQuantity) return 0;
  return (fillQuantity + restQuantity - filledQty) * priceUnits;
}
