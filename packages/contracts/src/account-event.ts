import type { CancelReason, OrderView } from '@paper/exchange/vocabulary';
import { z } from 'zod';
import { Fill, fillBody } from './fill.ts';
import type { FillView } from './fill.ts';
import { count } from './numbers.ts';
import { cancelReason, Order, orderBody } from './order.ts';

const seq = count.meta({ description: 'The journal sequence of the event; also the `id` of the message.' });

// Unions and not .nullable(): on a named schema the generator would lose the null.
const OrderEvent = z
  .strictObject({
    type: z.literal('order'),
    seq,
    order: Order.meta({
      description:
        'The order after this event. A placed order is open with no fill, and reservedAmount covers the part that rests at once. A cancelled order shows its earlier fills.',
    }),
    reason: z
      .union([cancelReason, z.null()])
      .meta({ description: 'Why the order was cancelled; null if it was placed.' }),
  })
  .meta({ id: 'OrderEvent' });

const FillEvent = z
  .strictObject({
    type: z.literal('fill'),
    seq,
    fill: Fill,
    order: z
      .union([Order, z.null()])
      .meta({ description: 'The filled order if this fill was its last; null while shares remain.' }),
  })
  .meta({ id: 'FillEvent' });

/** Messages of an account's stream: one for each event of the journal that concerns an order of the account. */
export const AccountEvent = z.union([OrderEvent, FillEvent]).meta({ id: 'AccountEvent' });

export type AccountEventBody = z.output<typeof AccountEvent>;

/** One event of an account's stream, from the point of view of that account. */
export type AccountEventView =
  | {
      readonly type: 'order';
      readonly seq: number;
      readonly accountId: string;
      readonly order: OrderView;
      /** Null when the order is placed. */
      readonly reason: CancelReason | null;
    }
  | {
      readonly type: 'fill';
      readonly seq: number;
      readonly accountId: string;
      readonly fill: FillView;
      /** Null while shares of the order remain. */
      readonly order: OrderView | null;
    };

export function accountEventBody(view: AccountEventView): AccountEventBody {
  return view.type === 'order'
    ? { type: 'order', seq: view.seq, order: orderBody(view.order), reason: view.reason }
    : {
        type: 'fill',
        seq: view.seq,
        fill: fillBody(view.fill),
        order: view.order === null ? null : orderBody(view.order),
      };
}
