import { sql } from 'kysely';
import type { ExpressionBuilder, SelectQueryBuilder } from 'kysely';
import type { ReadDb, ReadTables } from '../../models/tables.ts';
import { RESTING_CANCELLED, toOrderView } from '../../models/orders/order-view.ts';
import type { OrderView } from '../../models/orders/order-view.ts';
import { onTrue } from '../../models/on-true.ts';
import { LIFETIME_NODE, lifetimeNodesAround } from '../../models/orders/lifetime.ts';

type Orders = SelectQueryBuilder<ReadTables, 'orders', object>;

/**
 * An account's live orders just after an event, newest first. Within the decision that placed or replaced it, an order
 * reserves nothing yet. No order has ended after `end`, the sequence of the read models.
 */
export async function liveOrdersAsOf(db: ReadDb, accountId: string, seq: number, end: number): Promise<OrderView[]> {
  const rows = [
    ...(await asTheyWere(stillLive(db, accountId), seq)),
    ...(await asTheyWere(endedAround(db, accountId, seq, end), seq)),
  ].sort((a, b) => b.created_seq - a.created_seq);
  return rows.map((row) => {
    const { filled_then: filled, filled_cost_then_units: filled_cost_units, fills_later, replaced_seq } = row;
    const then = {
      price_units: row.price_then_units ?? row.price_units,
      quantity: row.quantity_then ?? row.quantity,
      filled,
      filled_cost_units,
      status: filled === 0 ? 'open' : 'partial',
      reason: null,
      ended_seq: null,
    } as const;
    const view = toOrderView({ ...row, ...then });
    const endsIncoming = row.status === 'cancelled' && replaced_seq === null && !RESTING_CANCELLED.has(row.reason);
    const isIncoming = fills_later || endsIncoming;
    return isIncoming ? { ...view, reservedUnits: 0 } : view;
  });
}

function stillLive(db: ReadDb, accountId: string) {
  return db.selectFrom('orders').where('account_id', '=', accountId).where('ended_seq', 'is', null);
}

/** Filters by node first. Without the values, a planner would read the orders by time. */
function endedAround(db: ReadDb, accountId: string, seq: number, end: number) {
  const nodes = lifetimeNodesAround(seq, end);
  return db
    .selectFrom((eb) =>
      eb
        .selectFrom('orders')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('ended_seq', 'is not', null)
        .where((row) => row(sql<number>`(${sql.raw(LIFETIME_NODE)})`, '=', row.fn.any(row.val(nodes))))
        .offset(0)
        .as('orders'),
    )
    .where('ended_seq', '>', seq);
}

/**
 * Adds to each order what it was at the event: its limit and total (null if it was never changed), the sums of its
 * fills, whether the decision that placed or replaced it still fills more of it, and where it is replaced next.
 */
function asTheyWere(orders: Orders, seq: number) {
  const until = sql`filter (where fills.seq <= ${seq})`;
  return orders
    .leftJoinLateral((eb) => changes(eb).where('seq', '<=', seq).orderBy('seq', 'desc').as('last'), onTrue)
    .leftJoinLateral((eb) => changes(eb).where('seq', '>', seq).orderBy('seq').as('next'), onTrue)
    .leftJoinLateral(
      (eb) => changes(eb).where('seq', '>', seq).where('type', '=', 'OrderReplaced').orderBy('seq').as('replaced'),
      onTrue,
    )
    .crossJoinLateral((eb) =>
      eb
        .selectFrom('fills')
        .select([
          sql<number>`coalesce(sum(fills.quantity) ${until}, 0)::int8`.as('filled_then'),
          sql<number>`coalesce(sum(fills.price_units * fills.quantity) ${until}, 0)::int8`.as('filled_cost_then_units'),
          sql<boolean>`coalesce(bool_or(fills.role = 'taker' and fills.seq > ${seq}
              and (replaced.seq is null or fills.seq < replaced.seq)), false)`.as('fills_later'),
        ])
        .whereRef('fills.order_id', '=', 'orders.id')
        .where('orders.filled', '>', 0)
        .as('until_then'),
    )
    .selectAll('orders')
    .where('created_seq', '<=', seq)
    .select((eb) => [
      eb.fn.coalesce('last.price_units', 'next.former_price_units').as('price_then_units'),
      eb.fn.coalesce('last.quantity', 'next.former_quantity').as('quantity_then'),
    ])
    .select(['filled_then', 'filled_cost_then_units', 'fills_later', 'replaced.seq as replaced_seq'])
    .execute();
}

/** One change of an order. */
function changes(eb: ExpressionBuilder<ReadTables, 'orders'>) {
  return eb
    .selectFrom('order_changes')
    .select(['seq', 'price_units', 'quantity', 'former_price_units', 'former_quantity'])
    .whereRef('order_id', '=', 'orders.id')
    .limit(1);
}
