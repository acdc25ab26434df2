import { cursorRefused } from '@paper/contracts';
import type { Selectable } from 'kysely';
import type { ReadDb } from '../schema/database.ts';
import type { ReadTables } from '../schema/tables.ts';
import { toOrderView } from '../schema/orders.ts';
import type { OrderRow, OrderView } from '../schema/orders.ts';

export interface OrderHistoryFilter {
  /** The limit of entries, the placement and the cancel included. */
  readonly limit: number;
  readonly after?: OrderHistoryPosition | undefined;
}

/** The last fill of the page before (the placement, where it had none), and the shares that were filled up to there. */
export type OrderHistoryPosition = readonly [seq: number, filledQty: number];

/** A fill as the history of one of its orders shows it. */
export type OrderFill = Pick<
  Selectable<ReadTables['fills']>,
  'seq' | 'id' | 'role' | 'price_units' | 'quantity' | 'at_ms'
>;

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
  /** The position of the cancel that ends the history, if there is one and this page is the last. */
  readonly cancelledSeq: number | null;
  readonly next: OrderHistoryPosition | null;
}

/**
 * The history of an order of the account, or of one of its sub-accounts; null where there is none of this id.
 *
 * @throws Refused validation_failed for a position that this history cannot have.
 */
export async function findOrderHistory(
  db: ReadDb,
  accountId: string,
  orderId: string,
  filter: OrderHistoryFilter,
): Promise<OrderHistoryPage | null> {
  const row = await findOrder(db, accountId, orderId);
  if (row === null) return null;
  const isFirst = filter.after === undefined;
  const [after, filledBefore] = filter.after ?? [row.created_seq, 0];
  const fillsMax = isFirst ? filter.limit - 1 : filter.limit;
  const found = filledBefore === row.filled ? [] : await fillsAfter(db, row, after, fillsMax + 1);
  const fills = found.slice(0, fillsMax);
  const filled = fills.reduce((sum, { quantity }) => sum + quantity, filledBefore);
  const isWhole = found.length <= fillsMax;
  const isOfThis = isWhole ? filled === row.filled : filled <= row.filled;
  if (!isFirst && !isOfThis) throw cursorRefused();
  const isCancelled = row.status === 'cancelled';
  const isLast = isWhole && !(isCancelled && fills.length === fillsMax);
  return {
    order: toOrderView(row),
    limitUnits: row.price_units,
    placedSeq: row.created_seq,
    isFirst,
    filledBefore,
    fills,
    cancelledSeq: isLast && isCancelled ? row.ended_seq : null,
    next: isLast ? null : [fills.at(-1)?.seq ?? after, filled],
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
    .select(['seq', 'id', 'role', 'price_units', 'quantity', 'at_ms'])
    .where('order_id', '=', id)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute();
}
