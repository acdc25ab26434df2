import { z } from 'zod';
import { cancelReason } from './account-event.ts';
import { count, money } from './numbers.ts';
import { Order, orderBody, orderStatus, type OrderView } from './order.ts';
import { timestamp } from './text.ts';
import { dollars, iso } from './units.ts';

export const OrderHistoryEntry = z
  .strictObject({
    seq: count.meta({
      description: 'The journal sequence of the event. `GET /api/journal?from=` shows the whole event.',
    }),
    id: z.string().meta({ description: 'The id of the event; for a fill also the id of the trade.' }),
    type: z.enum(['OrderPlaced', 'OrderFilled', 'OrderCancelled']),
    reason: z.union([z.enum(['placed', 'taker', 'maker']), cancelReason]).meta({
      description:
        '`placed`: a request placed the order. `taker`: the order met a resting one. `maker`: the order rested and was met. Any other value: why the rest of the order was cancelled.',
    }),
    quantity: count.meta({ description: 'The shares that this event placed, filled or cancelled.' }),
    price: money.meta({
      description:
        "Dollars a share, in the terms of the order's outcome: the price of a fill, else the limit, or the bound of a market order.",
    }),
    cash: money.meta({ description: 'Dollars that the account received by this event; negative if it paid.' }),
    filledQty: count.meta({ description: 'The shares filled so far, including this event.' }),
    status: orderStatus.meta({ description: 'The status of the order after this event.' }),
    reservedAmount: money.meta({ description: 'Dollars reserved for the order after this event.' }),
    createdAt: timestamp,
  })
  .meta({ id: 'OrderHistoryEntry' });

export const OrderHistory = z
  .strictObject({
    order: Order.meta({ description: 'The current state of the order.' }),
    history: z.array(OrderHistoryEntry),
  })
  .meta({ id: 'OrderHistory' });

export type OrderHistoryBody = z.output<typeof OrderHistory>;

/** An event of an order, in units and milliseconds. */
export interface OrderHistoryEntryView {
  readonly seq: number;
  readonly id: string;
  readonly type: z.output<typeof OrderHistoryEntry>['type'];
  readonly reason: z.output<typeof OrderHistoryEntry>['reason'];
  readonly quantity: number;
  readonly priceUnits: number;
  readonly cashUnits: number;
  readonly filledQty: number;
  readonly status: OrderView['status'];
  readonly reservedUnits: number;
  readonly at: number;
}

export function orderHistoryBody(order: OrderView, history: readonly OrderHistoryEntryView[]): OrderHistoryBody {
  return {
    order: orderBody(order),
    history: history.map((entry) => ({
      seq: entry.seq,
      id: entry.id,
      type: entry.type,
      reason: entry.reason,
      quantity: entry.quantity,
      price: dollars(entry.priceUnits),
      cash: dollars(entry.cashUnits),
      filledQty: entry.filledQty,
      status: entry.status,
      reservedAmount: dollars(entry.reservedUnits),
      createdAt: iso(entry.at),
    })),
  };
}
