import { sql } from 'kysely';
import type { SelectQueryBuilder } from 'kysely';
import type { ReadDb } from '../../schema/database.ts';
import { toOrderView } from '../../schema/orders.ts';
import type { OrderRow, OrderView } from '../../schema/orders.ts';
import type { ReadTables } from '../../schema/tables.ts';
import { LIFETIME_NODE, nodesAround } from './lifetime.ts';

type Orders = SelectQueryBuilder<ReadTables, 'orders', object>;

/** The reasons for which a resting order is cancelled. An order with any other reason never rested. */
const OUT_OF_THE_BOOK: ReadonlySet<string | null> = new Set(['user', 'market_closed', 'market_resolved']);

/**
 * An account's live orders just after an event, newest first. Within the decision that placed it, an order reserves
 * nothing yet.
 *
 * @param end what the read models show: no order has ended later
 */
export async function liveOrdersAsOf(db: ReadDb, accountId: string, seq: number, end: number): Promise<OrderView[]> {
  const rows = [
    ...(await withFills(stillLive(db, accountId), seq)),
    ...(await withFills(endedAround(db, accountId, seq, end), seq)),
  ].sort((a, b) => b.created_seq - a.created_seq);
  return rows.map((row) => {
    const { filled_then: filled, filled_cost_then_units: filled_cost_units, fills_later, ...order } = row;
    const then = {
      filled,
      filled_cost_units,
      status: filled === 0 ? 'open' : 'partial',
      reason: null,
      ended_seq: null,
    } as const;
    const view = toOrderView({ ...order, ...then });
    const isIncoming = fills_later || (row.status === 'cancelled' && !OUT_OF_THE_BOOK.has(row.reason));
    return isIncoming ? { ...view, reservedUnits: 0 } : view;
  });
}

function stillLive(db: ReadDb, accountId: string) {
  return db.selectFrom('orders').where('account_id', '=', accountId).where('ended_seq', 'is', null);
}

/** Filters by node first. A planner without the values would read the orders by time. */
function endedAround(db: ReadDb, accountId: string, seq: number, end: number) {
  const nodes = nodesAround(seq, end);
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

interface FilledThen {
  readonly filled_then: number;
  readonly filled_cost_then_units: number;
  /** Whether the decision that placed the order still fills more of it. */
  readonly fills_later: boolean;
}

/** Adds to each order the sums of its fills up to the event. */
function withFills(orders: Orders, seq: number): Promise<(OrderRow & FilledThen)[]> {
  const until = sql`filter (where fills.seq <= ${seq})`;
  return orders
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('fills')
          .select([
            sql<number>`coalesce(sum(fills.quantity) ${until}, 0)::int8`.as('filled_then'),
            sql<number>`coalesce(sum(fills.price_units * fills.quantity) ${until}, 0)::int8`.as(
              'filled_cost_then_units',
            ),
            sql<boolean>`coalesce(bool_or(fills.role = 'taker' and fills.seq > ${seq}), false)`.as('fills_later'),
          ])
          .whereRef('fills.order_id', '=', 'orders.id')
          .where('orders.filled', '>', 0)
          .as('until_then'),
      (join) => join.onTrue(),
    )
    .selectAll('orders')
    .where('created_seq', '<=', seq)
    .select(['filled_then', 'filled_cost_then_units', 'fills_later'])
    .execute();
}
