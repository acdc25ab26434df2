import { z } from 'zod';
import { answer, computed, objectAt, same, units } from '../answer.ts';
import type { ViewOf } from '../answer.ts';
import { count } from '../numbers.ts';
import { Fill } from '../orders/fill.ts';
import { cancelReason, OrderDetail } from '../orders/order.ts';
import type { OrderDetailView } from '../orders/order.ts';
import { SettledPosition } from '../portfolio/portfolio.ts';

const common = {
  seq: same(
    count,
    'The journal sequence of the event. The last message of a sequence has it as `id` too, so that a client resumes after whole events.',
  ),
  accountId: same(z.string(), 'The account that the message is about.'),
};

// A union instead of .nullable(): on a named schema the generator would lose the null.
const OrderEvent = answer('OrderEvent', {
  type: same(z.literal('order')),
  ...common,
  order: objectAt(
    'order',
    OrderDetail,
    'The order after this event. A placed order is open with no fill; a placed or changed order has in reservedAmount what rests at once. A cancelled order shows its earlier fills.',
  ),
  reason: same(z.union([cancelReason, z.null()]), 'Why the order was cancelled; null if it was placed or changed.'),
});

const FillEvent = answer('FillEvent', {
  type: same(z.literal('fill')),
  ...common,
  fill: objectAt('fill', Fill),
  order: computed(
    z
      .union([OrderDetail.schema, z.null()])
      .describe('The filled order if this fill was its last; null while shares remain.'),
    ({ order }: { readonly order: OrderDetailView | null }) => (order === null ? null : OrderDetail.body(order)),
  ),
});

const SettledEvent = answer('SettledEvent', {
  type: same(z.literal('settled')),
  ...common,
  settled: objectAt('settled', SettledPosition),
});

const CashEvent = answer('CashEvent', {
  type: same(z.literal('cash')),
  ...common,
  cash: units('cashUnits', "The account's dollars after the event, with what its open orders reserve."),
});

/** The messages of an account's stream: what an event did to an order, a position or the cash of an account. */
export const AccountEvent = z
  .union([OrderEvent.schema, FillEvent.schema, SettledEvent.schema, CashEvent.schema])
  .meta({ id: 'AccountEvent' });

export type AccountEventBody = z.output<typeof AccountEvent>;

/** One event of an account's stream, from the point of view of that account. */
export type AccountEventView =
  | ViewOf<typeof OrderEvent>
  | ViewOf<typeof FillEvent>
  | ViewOf<typeof SettledEvent>
  | ViewOf<typeof CashEvent>;

export function accountEventBody(view: AccountEventView): AccountEventBody {
  switch (view.type) {
    case 'order':
      return OrderEvent.body(view);
    case 'fill':
      return FillEvent.body(view);
    case 'settled':
      return SettledEvent.body(view);
    case 'cash':
      return CashEvent.body(view);
  }
}
