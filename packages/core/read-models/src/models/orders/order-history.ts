import { cursorRefused } from '@paper/contracts';
import type { ReadDb } from '../tables.ts';
import { fleetOf } from '../accounts/keys.ts';
import { cutPage } from '../page.ts';
import type { Page, PageRequest } from '../page.ts';
import { toOrderView } from './order-view.ts';
import type { OrderChangeRow, OrderRow } from './table.ts';

/** The sequence of the previous page's last fill or change (else of the placement), and the shares filled by then. */
export type OrderHistoryPosition = readonly [seq: number, filledQty: number];

/** A fill of an order, or a change of its limit or total. */
type OrderStep = Awaited<ReturnType<typeof stepsAfter>>[number];

/** A page of an order's history. The order's placement and cancel are in the journal, at the sequences given here. */
export type OrderHistoryPage = NonNullable<Awaited<ReturnType<typeof findOrderHistory>>>;

/**
 * The history of an order of an account, or of its sub-account; null for an unknown id. The placement and the cancel
 * count towards the page's limit.
 * @throws Refused validation_failed for a position outside of this history.
 */
export async function findOrderHistory(
  db: ReadDb,
  accountId: string,
  orderId: string,
  filter: PageRequest<OrderHistoryPosition>,
) {
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
  const next: OrderHistoryPosition | null = isLast ? null : [steps.at(-1)?.seq ?? after, filled];
  return {
    order: toOrderView(row),
    placedSeq: row.created_seq,
    /** The key that placed the order, and the key that cancelled it; null if no key did. */
    placedKeyId: row.placed_key_id,
    cancelledKeyId: row.cancelled_key_id,
    keyNames: await keyNames(db, row, steps),
    /** Whether the page begins with the placement. */
    isFirst,
    filledBefore,
    changedBefore: isFirst ? null : await lastChange(db, row, after),
    steps,
    /** The position of the cancel that ends the history, if there is one and this page is the last. */
    cancelledSeq: isLast && isCancelled ? row.ended_seq : null,
    next,
  };
}

/** The sequences of an order's events after a given one (0: all), ascending; null for an unknown id. */
export async function findOrderSequences(
  db: ReadDb,
  orderId: string,
  { after = 0, limit }: PageRequest,
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
  const ofFleet = fleetOf(db, accountId).innerJoin('orders', 'orders.account_id', 'accounts.id');
  return (await ofFleet.selectAll('orders').where('orders.id', '=', orderId).executeTakeFirst()) ?? null;
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
) {
  const fills = isFilled ? [] : await fillsAfter(db, order, after).limit(limit).execute();
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

function fillsAfter(db: ReadDb, { id }: OrderRow, after: number) {
  return db
    .selectFrom('fills')
    .select(['seq', 'id', 'role', 'price_units', 'quantity', 'at_ms'])
    .where('order_id', '=', id)
    .where('seq', '>', after)
    .orderBy('seq');
}
