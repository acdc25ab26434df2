import type { ReadDb } from '../schema/database.ts';
import { toOrderView } from '../schema/orders.ts';
import type { OrderRow, OrderView } from '../schema/orders.ts';
import type { OrderOwner, Page } from './views.ts';
import { cutPage } from './page.ts';

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
  if (part === 'live') {
    rows.push(...(await liveOrders(db, accountId, { marketId, limit: limit + 1, ...before }).execute()));
  }
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
