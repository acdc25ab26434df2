import type { Selectable } from 'kysely';
import type { ReadDb } from '../database.ts';
import type { ReadTables } from '../tables.ts';
import type { OrderOwner, OrderView, Page } from '../views.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { cutPage } from './page.ts';

export type OrderRow = Selectable<ReadTables['orders']>;

export interface OrderFilter {
  readonly marketId?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/**
 * The account's own orders: the live ones, newest first, then the ended ones, the last ended first.
 *
 * @throws ApiError validation_failed for a forged cursor.
 */
export async function listOrders(db: ReadDb, accountId: string, filter: OrderFilter): Promise<Page<OrderView>> {
  const [part, before] = filter.cursor === undefined ? ['live', null] : decodeCursor('orders', filter.cursor);
  const rows: OrderRow[] = [];
  if (part === 'live') rows.push(...(await liveOrders(db, accountId, filter.marketId, before, filter.limit + 1)));
  const missing = filter.limit + 1 - rows.length;
  if (missing > 0) {
    const endedBefore = part === 'live' ? null : before;
    rows.push(...(await endedOrders(db, accountId, filter.marketId, endedBefore, missing)));
  }
  const page = cutPage(rows, filter.limit, (last) =>
    encodeCursor('orders', last.ended_seq === null ? ['live', last.created_seq] : ['ended', last.ended_seq]),
  );
  return { items: page.items.map(toOrderView), next: page.next };
}

/** Live orders of an account, newest first. */
export function liveOrders(
  db: ReadDb,
  accountId: string,
  marketId: string | undefined,
  beforeCreatedSeq: string | number | null | undefined,
  limit: number,
): Promise<OrderRow[]> {
  let query = db.selectFrom('orders').selectAll().where('account_id', '=', accountId).where('ended_seq', 'is', null);
  if (marketId !== undefined) query = query.where('market_id', '=', marketId);
  if (typeof beforeCreatedSeq === 'number') query = query.where('created_seq', '<', beforeCreatedSeq);
  return query.orderBy('created_seq', 'desc').limit(limit).execute();
}

/** Ended orders of an account, the last ended first. */
export function endedOrders(
  db: ReadDb,
  accountId: string,
  marketId: string | undefined,
  beforeEndedSeq: string | number | null | undefined,
  limit: number,
): Promise<OrderRow[]> {
  let query = db
    .selectFrom('orders')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('ended_seq', 'is not', null);
  if (marketId !== undefined) query = query.where('market_id', '=', marketId);
  if (typeof beforeEndedSeq === 'number') query = query.where('ended_seq', '<', beforeEndedSeq);
  return query.orderBy('ended_seq', 'desc').limit(limit).execute();
}

/** Any order, live or ended, with whose it is. Null: there never was one of this id. */
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
