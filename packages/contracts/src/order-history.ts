import { z } from 'zod';
import { cancelReason } from './account-event.ts';
import { count, money } from './numbers.ts';
import { Order, orderBody, orderStatus, type OrderView } from './order.ts';
import { timestamp } from './text.ts';
import { dollars, iso } from './units.ts';

export const OrderHistoryEntry = z
  .strictObject({
    seq: count.meta({ description: 'Journal sequence of the event: GET /api/journal?from= shows it whole.' }),
    id: z.string().meta({ description: "The event's id; of a fill also the trade's." }),
    type: z.enum(['OrderPlaced', 'OrderFilled', 'OrderCancelled']),
    reason: z.union([z.enum(['placed', 'taker', 'maker']), cancelReason]).meta({
      description:
        'placed: by a request; taker: it came in and met a resting order; maker: it rested and was met; else why what was left of it was cancelled.',
    }),
    quantity: count.meta({ description: 'Shares that were asked for, filled, or cancelled by this event.' }),
    price: money.meta({
      description:
        "In the terms of the order's outcome: what a fill traded at; else the limit, or the bound of a market order.",
    }),
    cash: money.meta({ description: 'Dollars that this event brought the account; negative: that it took.' }),
    filledQty: count.meta({ description: 'Shares filled until then, this event included.' }),
    status: orderStatus.meta({ description: 'Of the order after this event.' }),
    reservedAmount: money.meta({ description: 'Dollars held back for it after this event.' }),
    createdAt: timestamp,
  })
  .meta({ id: 'OrderHistoryEntry' });

export const OrderHistory = z
  .strictObject({
    order: Order.meta({ description: 'The order as it is now.' }),
    history: z.array(OrderHistoryEntry),
  })
  .meta({ id: 'OrderHistory' });

export type OrderHistoryBody = z.output<typeof OrderHistory>;

/** One event of an order, in units and milliseconds. */
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
