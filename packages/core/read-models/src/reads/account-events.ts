import type { AccountEventView } from '@paper/contracts/accounts';
import type { OrderDetailView } from '@paper/contracts/orders';
import { sql } from 'kysely';
import type { ReadDb } from '../models/tables.ts';
import { fillsAfter } from '../models/fills/queries.ts';
import { MARKET_NAME } from '../models/markets/market-view.ts';
import { accountsOf, rowsFrom } from '../models/accounts/rows-after.ts';
import { onTrue } from '../models/on-true.ts';
import { mergesAfter, settlementsAfter } from '../models/settlements/queries.ts';
import { orderEvent, RESTING_CANCELLED, toOrderDetail } from '../models/orders/order-view.ts';

export interface AccountEventFilter {
  readonly accountIds: readonly string[];
  /** Primary accounts, whose events are read together with those of all their sub-accounts. */
  readonly fleetIds: readonly string[];
  /** Events with sequences after this one. */
  readonly after: number;
  /** The most rows that are read of each kind; at least 3, since a trade has two sides. */
  readonly limit: number;
}

type EventsAfter = Omit<AccountEventFilter, 'fleetIds'>;

export interface AccountEventPage {
  /** By sequence; of one event, the change of cash first. A trade between two of the accounts appears for each. */
  readonly events: readonly AccountEventView[];
  /** The last sequence up to which this page is complete; null if no further events exist. */
  readonly upTo: number | null;
  /** For each requested primary: its own id and the ids of its sub-accounts. */
  readonly fleets: ReadonlyMap<string, readonly string[]>;
}

/**
 * The events of these accounts: placements, changes, fills and cancels of orders, settlements, and every change of
 * cash, each as it was at its event. Reading the same page again gives the same content.
 */
export async function accountEvents(db: ReadDb, request: AccountEventFilter): Promise<AccountEventPage> {
  const { after, limit } = request;
  const subAccounts = request.fleetIds.length === 0 ? [] : await subAccountsOf(db, request.fleetIds);
  const own = [...request.accountIds, ...request.fleetIds, ...subAccounts.map(({ id }) => id)];
  const rows = await readRows(db, { accountIds: [...new Set(own)], after, limit });
  // If there are more rows of a kind, its last sequence may be incomplete, so the page ends before that.
  const ends = [
    rows.placed.at(limit - 1)?.created_seq,
    rows.changed.at(limit - 1)?.seq,
    rows.ended.at(limit - 1)?.ended_seq,
    rows.fills.at(limit - 1)?.seq,
    rows.settled.at(limit - 1)?.seq,
    rows.merged.at(limit - 1)?.seq,
  ].flatMap((seq) => (seq === undefined || seq === null ? [] : [seq - 1]));
  const upTo = ends.length === 0 ? null : Math.min(...ends);
  const opened = subAccounts
    .filter(({ created_seq }) => created_seq > after)
    .map((row) => cashEvent(row.created_seq, row.id, row.starting_balance_units));
  const events = [...cashEvents(rows), ...opened, ...orderEvents(rows), ...settledEvents(rows)];
  const whole = upTo === null ? events : events.filter(({ seq }) => seq <= upTo);
  const fleets = new Map(request.fleetIds.map((id) => [id, [id]]));
  for (const { id, primary_account_id } of subAccounts) fleets.get(primary_account_id ?? id)?.push(id);
  return { events: whole.sort((a, b) => a.seq - b.seq), upTo, fleets };
}

/** The rows of each kind of event, by sequence. */
async function readRows(db: ReadDb, filter: EventsAfter) {
  return {
    placed: await placedOrders(db, filter),
    changed: await changesOf(db, filter),
    ended: await ordersBy('ended_seq', db, filter).execute(),
    fills: await fillsOf(db, filter),
    settled: await settlementsOf(db, filter),
    merged: await mergesAfter(accountsWithNewer('merges', db, filter), filter).execute(),
  };
}

type AccountRows = Awaited<ReturnType<typeof readRows>>;

function orderEvents({ placed, changed, ended, fills }: AccountRows): AccountEventView[] {
  const events = [...placed.map(asPlaced), ...changed.map(asChanged)].map((order) => orderEvent(order, null));
  const filled = new Map<string, OrderDetailView>();
  for (const row of ended) {
    if (row.ended_seq === null) continue;
    const order = toOrderDetail(row, row.ended_seq);
    if (row.status === 'filled') filled.set(row.id, order);
    else events.push(orderEvent(order, row.reason));
  }
  for (const row of fills) {
    const order = filled.get(row.orderId);
    const isLast = order?.seq === row.seq;
    events.push({ type: 'fill', seq: row.seq, accountId: row.accountId, fill: row, order: isLast ? order : null });
  }
  return events;
}

function settledEvents({ settled }: AccountRows): AccountEventView[] {
  return settled.map((row) => ({ type: 'settled', seq: row.seq, accountId: row.accountId, settled: row }));
}

function cashEvents({ fills, settled, merged }: AccountRows): AccountEventView[] {
  return [...fills, ...settled, ...merged].map((row) => cashEvent(row.seq, row.accountId, row.cashAfterUnits));
}

/** The cash of an account after an event that changed it. */
function cashEvent(seq: number, accountId: string, cashUnits: number): AccountEventView {
  return { type: 'cash', seq, accountId, cashUnits };
}

/** Selects the keys that are not revoked from these. */
export async function liveKeys(db: ReadDb, keyIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('api_keys')
    .select('id')
    .where((eb) => eb('id', '=', eb.fn.any(eb.val(keyIds))))
    .where('revoked_at_ms', 'is', null)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

function subAccountsOf(db: ReadDb, primaryIds: readonly string[]) {
  return db
    .selectFrom('accounts')
    .select(['id', 'primary_account_id', 'created_seq', 'starting_balance_units'])
    .where((eb) => eb('primary_account_id', '=', eb.fn.any(eb.val(primaryIds))))
    .execute();
}

/**
 * Placed orders. `takes`: the order was filled in its own decision, whose first fill follows the placement at once.
 * `placed_…`: the limit and the total before the first change; null without one.
 */
function placedOrders(db: ReadDb, filter: EventsAfter) {
  return ordersBy('created_seq', db, filter)
    .select((eb) =>
      eb
        .selectFrom('fills')
        .select((own) => own('fills.order_id', '=', own.ref('orders.id')).as('own'))
        .where('fills.role', '=', 'taker')
        .where('fills.seq', '=', (own) => own(own.ref('orders.created_seq'), '+', 1))
        .as('takes'),
    )
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('order_changes')
          .select(['former_price_units as placed_price_units', 'former_quantity as placed_quantity'])
          .whereRef('order_changes.order_id', '=', 'orders.id')
          .orderBy('order_changes.seq')
          .limit(1)
          .as('first_change'),
      onTrue,
    )
    .select(['placed_price_units', 'placed_quantity'])
    .execute();
}

/** Changes of orders, each with its order's row. */
function changesOf(db: ReadDb, filter: EventsAfter) {
  return rowsFrom('order_changes', accountsOf(db, filter.accountIds), filter)
    .innerJoin('orders', 'orders.id', 'order_changes.order_id')
    .selectAll('orders')
    .select(['order_changes.seq', 'order_changes.price_units as changed_price_units', 'fill_quantity', 'rest_quantity'])
    .select(['order_changes.quantity as changed_quantity', 'order_changes.filled as filled_before'])
    .select((eb) =>
      eb
        .selectFrom('fills')
        .select(sql<number>`coalesce(sum(fills.price_units * fills.quantity), 0)::int8`.as('units'))
        .whereRef('fills.order_id', '=', 'order_changes.order_id')
        .whereRef('fills.seq', '<', 'order_changes.seq')
        .as('filled_cost_before_units'),
    )
    .execute();
}

function settlementsOf(db: ReadDb, filter: EventsAfter) {
  return settlementsAfter(accountsWithNewer('settlements', db, filter), filter)
    .innerJoin('markets', 'markets.id', 'settlements.market_id')
    .select(MARKET_NAME)
    .execute();
}

/** Selects these accounts; none if all rows of the table are older, so that rare rows cost no look-up per account. */
function accountsWithNewer(table: 'merges' | 'settlements', db: ReadDb, { accountIds, after }: EventsAfter) {
  const newest = db.selectFrom(table as 'merges').select(({ fn }) => fn.max('seq').as('seq'));
  return accountsOf(db, accountIds).where((eb) => eb(newest, '>', after));
}

/** Orders by the sequence of their placement or of their end. */
function ordersBy(sequence: 'created_seq' | 'ended_seq', db: ReadDb, filter: EventsAfter) {
  return rowsFrom('orders', accountsOf(db, filter.accountIds), filter, sequence).selectAll('orders');
}

function fillsOf(db: ReadDb, filter: EventsAfter) {
  return fillsAfter(accountsOf(db, filter.accountIds), filter)
    .innerJoin('markets', 'markets.id', 'fills.market_id')
    .select(MARKET_NAME)
    .execute();
}

/** The order just after its placement. It reserves money only if all of it rests at once. */
function asPlaced(row: AccountRows['placed'][number]): OrderDetailView {
  const { placed_price_units: priceUnits, placed_quantity: quantity } = row;
  const none = { filled: 0, filled_cost_units: 0, status: 'open', reason: null, ended_seq: null } as const;
  const terms = { price_units: priceUnits ?? row.price_units, quantity: quantity ?? row.quantity };
  const order = toOrderDetail({ ...row, ...terms, ...none }, row.created_seq);
  const mayRest = row.takes !== true && row.order_type === 'limit' && row.time_in_force === 'GTC';
  const rests = mayRest && (quantity !== null || row.reason === null || RESTING_CANCELLED.has(row.reason));
  return rests ? order : { ...order, reservedUnits: 0 };
}

/** The order just after a change. Like a placed order, it reserves money only if all of it rests at once. */
function asChanged(row: AccountRows['changed'][number]): OrderDetailView {
  const then = {
    price_units: row.changed_price_units,
    quantity: row.changed_quantity,
    filled: row.filled_before,
    filled_cost_units: row.filled_cost_before_units ?? 0,
    status: row.filled_before === 0 ? 'open' : 'partial',
    reason: null,
    ended_seq: null,
  } as const;
  const order = toOrderDetail({ ...row, ...then }, row.seq);
  return row.fill_quantity === 0 && row.rest_quantity > 0 ? order : { ...order, reservedUnits: 0 };
}
