import type { CancelReason, OrderView } from '@paper/exchange/vocabulary';
import { z } from 'zod';
import { Fill, fillBody } from './fill.ts';
import type { FillView } from './fill.ts';
import { count, money } from './numbers.ts';
import { cancelReason, Order, orderBody } from './order.ts';
import { SettledPosition, settledBody } from './portfolio.ts';
import type { SettledView } from './portfolio.ts';
import { dollars } from './units.ts';

const common = {
  seq: count.meta({
    description:
      'The journal sequence of the event. The last message of a sequence has it as `id` too, so that a client resumes after whole events.',
  }),
  accountId: z.string().meta({ description: 'The account that the message is about.' }),
};

// Unions and not .nullable(): on a named schema the generator would lose the null.
const OrderEvent = z
  .strictObject({
    type: z.literal('order'),
    ...common,
    order: Order.meta({
      description:
        'The order after this event. A placed order is open with no fill; a placed or changed order has in reservedAmount what rests at once. A cancelled order shows its earlier fills.',
    }),
    reason: z
      .union([cancelReason, z.null()])
      .meta({ description: 'Why the order was cancelled; null if it was placed or changed.' }),
  })
  .meta({ id: 'OrderEvent' });

const FillEvent = z
  .strictObject({
    type: z.literal('fill'),
    ...common,
    fill: Fill,
    order: z
      .union([Order, z.null()])
      .meta({ description: 'The filled order if this fill was its last; null while shares remain.' }),
  })
  .meta({ id: 'FillEvent' });

const SettledEvent = z
  .strictObject({ type: z.literal('settled'), ...common, settled: SettledPosition })
  .meta({ id: 'SettledEvent' });

const CashEvent = z
  .strictObject({
    type: z.literal('cash'),
    ...common,
    cash: money.meta({ description: "The account's dollars after the event, with what its open orders reserve." }),
  })
  .meta({ id: 'CashEvent' });

/** Messages of an account's stream: what an event of the journal did to an order, a position or the cash of an account. */
export const AccountEvent = z.union([OrderEvent, FillEvent, SettledEvent, CashEvent]).meta({ id: 'AccountEvent' });

export type AccountEventBody = z.output<typeof AccountEvent>;

/** One event of an account's stream, from the point of view of that account. */
export type AccountEventView =
  | {
      readonly type: 'order';
      readonly seq: number;
      readonly accountId: string;
      readonly order: OrderView;
      /** Null when the order is placed or changed. */
      readonly reason: CancelReason | null;
    }
  | {
      readonly type: 'fill';
      readonly seq: number;
      readonly accountId: string;
      readonly fill: FillView;
      /** Null while shares of the order remain. */
      readonly order: OrderView | null;
    }
  | { readonly type: 'settled'; readonly seq: number; readonly accountId: string; readonly settled: SettledView }
  | { readonly type: 'cash'; readonly seq: number; readonly accountId: string; readonly cashUnits: number };

export function accountEventBody(view: AccountEventView): AccountEventBody {
  const { seq, accountId } = view;
  switch (view.type) {
    case 'order':
      return { type: 'order', seq, accountId, order: orderBody(view.order), reason: view.reason };
    case 'fill': {
      const order = view.order === null ? null : orderBody(view.order);
      return { type: 'fill', seq, accountId, fill: fillBody(view.fill), order };
    }
    case 'settled':
      return { type: 'settled', seq, accountId, settled: settledBody(view.settled) };
    case 'cash':
      return { type: 'cash', seq, accountId, cash: dollars(view.cashUnits) };
  }
}
