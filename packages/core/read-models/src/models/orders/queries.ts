import type { OrderDetailView } from '@paper/contracts/orders';
import type { OrderStatus } from '@paper/exchange/vocabulary';
import type { ReadDb } from '../tables.ts';
import { toOrderDetail, toOrderView } from './order-view.ts';
import type { OrderRow } from './table.ts';
import type { OrderView } from './order-view.ts';
import { fleetOf } from '../accounts/keys.ts';
import { cutPage } from '../page.ts';
import type { Page, PageRequest } from '../page.ts';

/** A live order's position in the list is the sequence that created it, an ended one's the sequence that ended it. */
export type OrderPosition = readonly [part: 'live' | 'ended', seq: number];

export interface OrderFilter extends PageRequest<OrderPosition> {
  readonly marketId?: string | undefined;
  readonly status?: OrderStatus | undefined;
}

/** A part of an account's orders; `after` and `before` bound the sequence that they are sorted by. */
interface Part extends Pick<OrderFilter, 'marketId' | 'status'> {
  readonly after?: number;
  readonly before?: number;
  readonly limit?: number;
}

/** The account's own orders: the live ones, newest first, then the ended ones, the last ended first. */
export async function listOrders(
  db: ReadDb,
  accountId: string,
  { limit, after, ...only }: OrderFilter,
): Promise<Page<OrderView, OrderPosition>> {
  const part = after?.[0] ?? 'live';
  const before = after === undefined ? {} : { before: after[1] };
  const rows: OrderRow[] = [];
  if (part === 'live' && !isEnded(only.status)) {
    rows.push(...(await liveOrders(db, accountId, { ...only, limit: limit + 1, ...before }).execute()));
  }
  const missing = limit + 1 - rows.length;
  if (missing > 0 && !isLive(only.status)) {
    const from = part === 'live' ? {} : before;
    rows.push(...(await endedOrders(db, accountId, { ...only, limit: missing, ...from }).execute()));
  }
  const page = cutPage(rows, limit, (last): OrderPosition =>
    last.ended_seq === null ? ['live', last.created_seq] : ['ended', last.ended_seq],
  );
  return { items: page.items.map(toOrderView), next: page.next };
}

/** Whether only live orders have this status; undefined without a status, when orders of both kinds are wanted. */
function isLive(status: OrderStatus | undefined): boolean {
  return status === 'open' || status === 'partial';
}

function isEnded(status: OrderStatus | undefined): boolean {
  return status !== undefined && !isLive(status);
}

/** Live orders of an account, newest first. */
export function liveOrders(db: ReadDb, accountId: string, part: Part = {}) {
  return newestOrders(db, accountId, part, 'created_seq').where('ended_seq', 'is', null);
}

/** Ended orders of an account, the last ended first. */
export function endedOrders(db: ReadDb, accountId: string, part: Part) {
  return newestOrders(db, accountId, part, 'ended_seq').where('ended_seq', 'is not', null);
}

function newestOrders(db: ReadDb, accountId: string, part: Part, by: 'created_seq' | 'ended_seq') {
  let query = db.selectFrom('orders').selectAll().where('account_id', '=', accountId).orderBy(by, 'desc');
  if (part.marketId !== undefined) query = query.where('market_id', '=', part.marketId);
  if (part.status !== undefined) query = query.where('status', '=', part.status);
  if (part.after !== undefined) query = query.where(by, '>', part.after);
  if (part.before !== undefined) query = query.where(by, '<', part.before);
  return part.limit === undefined ? query : query.limit(part.limit);
}

/** Orders, each with the sequences of its newest fill and its newest change. */
function detailedOrders(db: ReadDb) {
  return db
    .selectFrom('orders')
    .selectAll('orders')
    .select((eb) => [
      eb
        .selectFrom('fills')
        .select((fill) => fill.fn.max('fills.seq').as('seq'))
        .whereRef('fills.order_id', '=', 'orders.id')
        .as('filled_seq'),
      eb
        .selectFrom('order_changes')
        .select((change) => change.fn.max('order_changes.seq').as('seq'))
        .whereRef('order_changes.order_id', '=', 'orders.id')
        .as('changed_seq'),
    ]);
}

type DetailedOrder = OrderRow & { readonly filled_seq: number | null; readonly changed_seq: number | null };

function detailOf(row: DetailedOrder): OrderDetailView {
  const seq = row.ended_seq ?? Math.max(row.created_seq, row.filled_seq ?? 0, row.changed_seq ?? 0);
  return toOrderDetail(row, seq);
}

/** An order of the account, or of one of its sub-accounts; null for an unknown id. */
export async function findOrder(db: ReadDb, accountId: string, orderId: string): Promise<OrderDetailView | null> {
  const row = await detailedOrders(db)
    .innerJoin('accounts', 'accounts.id', 'orders.account_id')
    .where('orders.id', '=', orderId)
    .where((eb) => eb.or([eb('accounts.id', '=', accountId), eb('accounts.primary_account_id', '=', accountId)]))
    .executeTakeFirst();
  return row === undefined ? null : detailOf(row);
}

export interface OpenOrderFilter extends PageRequest {
  readonly marketId?: string | undefined;
  /** Whether to list the orders of the account's sub-accounts too. */
  readonly isFleet: boolean;
}

/** The live orders of an account, or also of its sub-accounts, oldest acceptance first, read account by account. */
export async function listOpenOrders(
  db: ReadDb,
  accountId: string,
  { marketId, isFleet, limit, after = 0 }: OpenOrderFilter,
): Promise<Page<OrderDetailView>> {
  const accounts = isFleet ? fleetOf(db, accountId) : db.selectFrom('accounts').where('accounts.id', '=', accountId);
  const page = accounts
    .crossJoinLateral((eb) => {
      const open = eb
        .selectFrom('orders')
        .select(['orders.id as order_id', 'orders.created_seq as placed_seq'])
        .whereRef('orders.account_id', '=', 'accounts.id')
        .where('orders.ended_seq', 'is', null)
        .where('orders.created_seq', '>', after)
        .orderBy('orders.created_seq')
        .limit(limit + 1);
      return (marketId === undefined ? open : open.where('orders.market_id', '=', marketId)).as('open');
    })
    .select('order_id')
    .orderBy('placed_seq')
    .limit(limit + 1);
  const rows = await detailedOrders(db).where('orders.id', 'in', page).orderBy('orders.created_seq').execute();
  const { items, next } = cutPage(rows, limit, (last) => last.created_seq);
  return { items: items.map(detailOf), next };
}

/** The newest order with this clientOrderId of the account, or of one of its sub-accounts; null if there is none. */
export async function findOrderByClientId(
  db: ReadDb,
  accountId: string,
  clientOrderId: string,
): Promise<OrderDetailView | null> {
  const newest = await fleetOf(db, accountId)
    .crossJoinLateral((eb) =>
      eb
        .selectFrom('orders')
        .select(['orders.id as order_id', 'orders.created_seq as placed_seq'])
        .whereRef('orders.account_id', '=', 'accounts.id')
        .where('orders.client_order_id', '=', clientOrderId)
        .orderBy('orders.created_seq', 'desc')
        .limit(1)
        .as('newest'),
    )
    .select('order_id')
    .orderBy('placed_seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return newest === undefined ? null : findOrder(db, accountId, newest.order_id);
}

/** Any order, open or ended, and the primary of its account (null for a primary's own); null for an unknown id. */
export async function findAnyOrder(db: ReadDb, orderId: string) {
  const row = await detailedOrders(db)
    .innerJoin('accounts', 'accounts.id', 'orders.account_id')
    .select('accounts.primary_account_id')
    .where('orders.id', '=', orderId)
    .executeTakeFirst();
  return row === undefined ? null : { ...detailOf(row), primaryAccountId: row.primary_account_id };
}
