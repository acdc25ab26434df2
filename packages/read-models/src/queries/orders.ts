import type { Selectable } from 'kysely';
import type { ReadDb } from '../schema/database.ts';
import type { ReadTables } from '../schema/tables.ts';
import type { OrderOwner, OrderView, Page } from './views.ts';
import { cutPage } from './page.ts';

export type OrderRow = Selectable<ReadTables['orders']>;

export interface OrderFilter {
  readonly marketId?: string | undefined;
  readonly limit: number;
  readonly after?: OrderPosition | undefined;
}

/** The last order of the page before: a live one by the sequence that created it, an ended one by that which ended it. */
export type OrderPosition = readonly [part: 'live' | 'ended', seq: number];

/** A further restriction of an account's orders; `before` is the sequence that they are ordered by. */
interface Part {
  readonly marketId?: string | undefined;
  readonly before?: number;
  readonly limit?: number;
}

/** The account's own orders: the live ones, newest first, then the ended ones, the last ended first. */
export async function listOrders(
  db: ReadDb,
  accountId: string,
  { marketId, limit, after }: OrderFilter,
): Promise<Page<OrderView, OrderPosition>> {
  const part = after?.[0] ?? 'live';
  const before = after === undefined ? {} : { before: after[1] };
  const rows: OrderRow[] = [];
  if (part === 'live')
    rows.push(...(await liveOrders(db, accountId, { marketId, limit: limit + 1, ...before }).execute()));
  const missing = limit + 1 - rows.length;
  if (missing > 0) {
    const from = part === 'live' ? {} : before;
    rows.push(...(await endedOrders(db, accountId, { marketId, limit: missing, ...from }).execute()));
  }
  const page = cutPage(rows, limit, (last): OrderPosition =>
    last.ended_seq === null ? ['live', last.created_seq] : ['ended', last.ended_seq],
  );
  return { items: page.items.map(toOrderView), next: page.next };
}

/** Live orders of an account, newest first. */
export function liveOrders(db: ReadDb, accountId: string, part: Part = {}) {
  let query = db.selectFrom('orders').selectAll().where('account_id', '=', accountId).where('ended_seq', 'is', null);
  if (part.marketId !== undefined) query = query.where('market_id', '=', part.marketId);
  if (part.before !== undefined) query = query.where('created_seq', '<', part.before);
  if (part.limit !== undefined) query = query.limit(part.limit);
  return query.orderBy('created_seq', 'desc');
}

/** Ended orders of an account, the last ended first. */
export function endedOrders(db: ReadDb, accountId: string, part: Part) {
  let query = db.selectFrom('orders').selectAll().where('account_id', '=', accountId);
  query = query.where('ended_seq', 'is not', null);
  if (part.marketId !== undefined) query = query.where('market_id', '=', part.marketId);
  if (part.before !== undefined) query = query.where('ended_seq', '<', part.before);
  if (part.limit !== undefined) query = query.limit(part.limit);
  return query.orderBy('ended_seq', 'desc');
}

/** The owner of any order, open or ended. Null: the order does not exist. */
export async function findOrderOwner(db: ReadDb, orderId: string): Promise<OrderOwner | null> {
  const row = await db
    .selectFrom('orders')
    .innerJoin('accounts', 'accounts.id', 'orders.account_id')
    .select([
      'orders.id as orderId',
      'orders.account_id as accountId',
      'accounts.primary_account_id as primaryAccountId',
      'orders.status as status',
    ])
    .where('orders.id', '=', orderId)
    .executeTakeFirst();
  return row ?? null;
}

export function toOrderView(row: OrderRow): OrderView {
  const live = row.ended_seq === null;
  return {
    orderId: row.id,
    marketId: row.market_id,
    accountId: row.account_id,
    side: row.side,
    outcome: row.outcome,
    orderType: row.order_type,
    timeInForce: row.tif,
    priceUnits: row.order_type === 'market' && row.filled > 0 ? averagePrice(row) : row.price,
    quantity: row.quantity,
    filledQty: row.filled,
    status: row.status,
    createdAt: row.created_at,
    reservedUnits: live && row.side === 'buy' ? row.price * (row.quantity - row.filled) : 0,
    reason: row.reason,
  };
}

/** Half up, in whole numbers: the quotient of two integers as a float could fall on the wrong side of a half. */
function averagePrice(row: OrderRow): number {
  const rest = row.filled_cost % row.filled;
  return (row.filled_cost - rest) / row.filled + (2 * rest >= row.filled ? 1 : 0);
}
