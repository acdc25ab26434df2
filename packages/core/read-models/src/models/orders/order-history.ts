import { cursorRefused } from '@paper/contracts';
import type { Selectable } from 'kysely';
import type { ReadDb, ReadTables } from '../tables.ts';
import { cutPage } from '../page.ts';
import type { Page } from '../views.ts';
import { toOrderView } from './order-view.ts';
import type { OrderChangeRow, OrderRow } from './table.ts';
import type { OrderView } from './order-view.ts';

export interface OrderHistoryFilter {
  /** The limit of entries, the placement and the cancel included. */
  readonly limit: number;
  readonly after?: OrderHistoryPosition | undefined;
}

/** The last fill or change on the previous page (the placement if there was none), and the shares filled by then. */
export type OrderHistoryPosition = readonly [seq: number, filledQty: number];

/** A fill as the history of one of its orders shows it. */
export type OrderFill = Pick<
  Selectable<ReadTables['fills']>,
  'seq' | 'id' | 'role' | 'price_units' | 'quantity' | 'at_ms'
>;

/** A fill of an order, or a change of its limit or total. */
export type OrderStep =
  | { readonly kind: 'fill'; readonly seq: number; readonly fill: OrderFill }
  | { readonly kind: 'change'; readonly seq: number; readonly change: OrderChangeRow };

/** A page of an order's history. The order's placement and cancel are in the journal, at the sequences given here. */
export interface OrderHistoryPage {
  readonly order: OrderView;
  readonly placedSeq: number;
  /** The key that placed the order, and the key that cancelled it; null if no key did. */
  readonly placedKeyId: string | null;
  readonly cancelledKeyId: string | null;
  readonly keyNames: ReadonlyMap<string, string>;
  /** Whether the page begins with the placement. */
  readonly isFirst: boolean;
  readonly filledBefore: number;
  readonly changedBefore: OrderChangeRow | null;
  readonly steps: readonly OrderStep[];
  /** The position of the cancel that ends the history, if there is one and this page is the last. */
  readonly cancelledSeq: number | null;
  readonly next: OrderHistoryPosition | null;
}

/**
 * The history of an order of an account, or of its sub-account; null for an unknown id.
 * @throws Refused validation_failed for a position outside of this history.
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
  const stepsMax = isFirst ? filter.limit - 1 : filter.limit;
  const found = await stepsAfter(db, row, after, { isFilled: filledBefore === row.filled, limit: stepsMax + 1 });
  const steps = found.slice(0, stepsMax);
  const filled = steps.reduce((sum, step) => sum + (step.kind === 'fill' ? step.fill.quantity : 0), filledBefore);
  const isWhole = found.length <= stepsMax;
  const isOfThis = isWhole ? filled === row.filled : filled <= row.filled;
  if (!isFirst && !isOfThis) throw cursorRefused();
  const isCancelled = row.status === 'cancelled';
  const isLast = isWhole && !(isCancelled && steps.length === stepsMax);
  return {
    order: toOrderView(row),
    placedSeq: row.created_seq,
    placedKeyId: row.placed_key_id,
    cancelledKeyId: row.cancelled_key_id,
    keyNames: await keyNames(db, row, steps),
    isFirst,
    filledBefore,
    changedBefore: isFirst ? null : await lastChange(db, row, after),
    steps,
    cancelledSeq: isLast && isCancelled ? row.ended_seq : null,
    next: isLast ? null : [steps.at(-1)?.seq ?? after, filled],
  };
}

/** The sequences of an order's events after a given one (0: all), ascending; null for an unknown id. */
export async function findOrderSequences(
  db: ReadDb,
  orderId: string,
  { after = 0, limit }: { readonly after?: number | undefined; readonly limit: number },
): Promise<Page<number> | null> {
  const row = await db.selectFrom('orders').selectAll().where('id', '=', orderId).executeTakeFirst();
  if (row === undefined) return null;
  const steps = await stepsAfter(db, row, after, { isFilled: false, limit: limit + 1 });
  const ends = row.ended_seq === null ? [row.created_seq] : [row.created_seq, row.ended_seq];
  // A filled order ends with a fill, so its end may be among the steps too.
  const seqs = [...new Set([...ends.filter((seq) => seq > after), ...steps.map(({ seq }) => seq)])];
  return cutPage(seqs.sort((a, b) => a - b).slice(0, limit + 1), limit, (seq) => seq);
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

async function keyNames(
  db: ReadDb,
  order: OrderRow,
  steps: readonly OrderStep[],
): Promise<ReadonlyMap<string, string>> {
  const changed = steps.map((step) => (step.kind === 'change' ? step.change.key_id : null));
  const ids = [order.placed_key_id, order.cancelled_key_id, ...changed].filter((id) => id !== null);
  const keys = await db
    .selectFrom('api_keys')
    .select(['id', 'name'])
    .where((eb) => eb('id', '=', eb.fn.any(eb.val([...new Set(ids)]))))
    .execute();
  return new Map(keys.map(({ id, name }) => [id, name]));
}

/** Fills and changes after a sequence. `isFilled`: the order had no fill after that sequence. */
async function stepsAfter(
  db: ReadDb,
  order: OrderRow,
  after: number,
  { isFilled, limit }: { readonly isFilled: boolean; readonly limit: number },
): Promise<OrderStep[]> {
  const fills = isFilled ? [] : await fillsAfter(db, order, after, limit);
  const changes = await changesOf(db, order).where('seq', '>', after).orderBy('seq').limit(limit).execute();
  return [
    ...fills.map((fill) => ({ kind: 'fill' as const, seq: fill.seq, fill })),
    ...changes.map((change) => ({ kind: 'change' as const, seq: change.seq, change })),
  ]
    .sort((a, b) => a.seq - b.seq)
    .slice(0, limit);
}

async function lastChange(db: ReadDb, order: OrderRow, until: number): Promise<OrderChangeRow | null> {
  const newestFirst = changesOf(db, order).where('seq', '<=', until).orderBy('seq', 'desc');
  return (await newestFirst.limit(1).executeTakeFirst()) ?? null;
}

function changesOf(db: ReadDb, { id }: OrderRow) {
  return db.selectFrom('order_changes').selectAll().where('order_id', '=', id);
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
