import type { Selectable } from 'kysely';
import type { ReadDb } from '../database.ts';
import type { ReadTables } from '../tables.ts';
import type { OrderView } from '../views.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { type OrderRow, toOrderView } from './orders.ts';

export interface OrderHistoryFilter {
  /** Of entries: the placement and the cancel count too. */
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** A fill as the history of one of its orders tells it. */
export type OrderFill = Pick<Selectable<ReadTables['fills']>, 'seq' | 'id' | 'role' | 'price' | 'quantity' | 'at'>;

/** A page of what happened to an order. Its placement and its cancel are in the journal, at their sequences. */
export interface OrderHistoryPage {
  readonly order: OrderView;
  readonly limitUnits: number;
  readonly placedSeq: number;
  /** Whether the page begins with the placement. */
  readonly isFirst: boolean;
  /** Shares that were filled before this page. */
  readonly filledBefore: number;
  readonly fills: readonly OrderFill[];
  /** Where the cancel stands that ends the history, if there is one and this page is the last. */
  readonly cancelledSeq: number | null;
  readonly next: string | null;
}

/**
 * The history of an order of the account, or of one of its sub-accounts; null where there is none of this id.
 *
 * @throws ApiError validation_failed for a forged cursor.
 */
export async function findOrderHistory(
  db: ReadDb,
  accountId: string,
  orderId: string,
  filter: OrderHistoryFilter,
): Promise<OrderHistoryPage | null> {
  const row = await findOrder(db, accountId, orderId);
  if (row === null) return null;
  const list = `history ${orderId}`;
  const key = filter.cursor === undefined ? null : decodeCursor(list, filter.cursor);
  const [after, filledBefore] = key === null ? [row.created_seq, 0] : [Number(key[0]), Number(key[1])];

  const isFirst = key === null;
  const room = isFirst ? filter.limit - 1 : filter.limit;
  const found = filledBefore === row.filled ? [] : await fillsAfter(db, row, after, room + 1);
  const fills = found.slice(0, room);
  const filled = fills.reduce((sum, { quantity }) => sum + quantity, filledBefore);
  const isCancelled = row.status === 'cancelled';
  const isLast = found.length <= room && !(isCancelled && fills.length === room);
  return {
    order: toOrderView(row),
    limitUnits: row.price,
    placedSeq: row.created_seq,
    isFirst,
    filledBefore,
    fills,
    cancelledSeq: isLast && isCancelled ? row.ended_seq : null,
    next: isLast ? null : encodeCursor(list, [fills.at(-1)?.seq ?? after, filled]),
  };
}

async function findOrder(db: ReadDb, accountId: string, orderId: string): Promise<OrderRow | null> {
  const row = await db
    .selectFrom('orders')
    .innerJoin('accounts', 'accounts.id', 'orders.account_id')
    .selectAll('orders')
    .where('orders.id', '=', orderId)
    .where((eb) => eb.or([eb('accounts.id', '=', accountId), eb('accounts.primary_account_id', '=', accountId)]))
    .executeTakeFirst();
  return row ?? null;
}

function fillsAfter(db: ReadDb, { id }: OrderRow, after: number, limit: number): Promise<OrderFill[]> {
  return db
    .selectFrom('fills')
    .select(['seq', 'id', 'role', 'price', 'quantity', 'at'])
    .where('order_id', '=', id)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute();
}
