import type { AccountEventView } from '@paper/contracts/accounts';
import type { OrderDetailView } from '@paper/contracts/orders';
import { sql } from 'kysely';
import type { ReadDb } from '../models/tables.ts';
import { fillsAfter } from '../models/fills/queries.ts';
import { MARKET_NAME } from '../models/markets/market-view.ts';
import { mergesAfter, settlementsAfter } from '../models/settlements/queries.ts';
import { RESTING_CANCELLED, toOrderDetail } from '../models/orders/order-view.ts';
import type { OrderRow } from '../models/orders/table.ts';

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
  /** By sequence: a trade between two of the accounts once for each, a change of cash before the event's others. */
  readonly events: readonly AccountEventView[];
  /** The last sequence up to which this page is complete; null if no further events exist. */
  readonly upTo: number | null;
  /** The accounts of each requested fleet, by its primary: the primary and its sub-accounts. */
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
  const filter = { accountIds: [...new Set(own)], after, limit };
  const rows: AccountRows = {
    placed: await placedOrders(db, filter),
    changed: await changesOf(db, filter),
    ended: await endedOrders(db, filter),
    fills: await fillsOf(db, filter),
    settled: await settlementsOf(db, filter),
    merged: await mergesOf(db, filter),
    opened: subAccounts.filter(({ created_seq }) => created_seq > after),
  };
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
  const events = [...cashEvents(rows), ...orderEvents(rows), ...settledEvents(rows)];
  const whole = upTo === null ? events : events.filter(({ seq }) => seq <= upTo);
  const fleets = new Map(request.fleetIds.map((id) => [id, [id]]));
  for (const { id, primary_account_id } of subAccounts) fleets.get(primary_account_id ?? id)?.push(id);
  return { events: whole.sort((a, b) => a.seq - b.seq), upTo, fleets };
}

interface AccountRows {
  readonly placed: Awaited<ReturnType<typeof placedOrders>>;
  readonly changed: Awaited<ReturnType<typeof changesOf>>;
  readonly ended: readonly OrderRow[];
  readonly fills: Awaited<ReturnType<typeof fillsOf>>;
  readonly settled: Awaited<ReturnType<typeof settlementsOf>>;
  readonly merged: Awaited<ReturnType<typeof mergesOf>>;
  readonly opened: Awaited<ReturnType<typeof subAccountsOf>>;
}

function orderEvents({ placed, changed, ended, fills }: AccountRows): AccountEventView[] {
  const events: AccountEventView[] = [];
  for (const row of placed) {
    events.push({
      type: 'order',
      seq: row.created_seq,
      accountId: row.account_id,
      order: asPlaced(row),
      reason: null,
    });
  }
  for (const row of changed) {
    events.push({
      type: 'order',
      seq: row.seq,
      accountId: row.account_id,
      order: asChanged(row),
      reason: null,
    });
  }
  const filled = new Map<string, OrderDetailView>();
  for (const row of ended) {
    const { account_id: accountId, ended_seq: seq, reason } = row;
    if (seq === null) continue;
    if (row.status === 'filled') {
      filled.set(row.id, toOrderDetail(row, seq));
    } else {
      events.push({ type: 'order', seq, accountId, order: toOrderDetail(row, seq), reason });
    }
  }
  const endOf = new Map(ended.map((row) => [row.id, row.ended_seq]));
  for (const row of fills) {
    const order = endOf.get(row.orderId) === row.seq ? (filled.get(row.orderId) ?? null) : null;
    events.push({ type: 'fill', seq: row.seq, accountId: row.accountId, fill: row, order });
  }
  return events;
}

function settledEvents({ settled }: AccountRows): AccountEventView[] {
  return settled.map((row) => ({ type: 'settled', seq: row.seq, accountId: row.accountId, settled: row }));
}

/** Every change of an account's cash, with the cash after it. */
function cashEvents({ fills, settled, merged, opened }: AccountRows): AccountEventView[] {
  return [
    ...[...fills, ...settled, ...merged].map((row) => ({
      type: 'cash' as const,
      seq: row.seq,
      accountId: row.accountId,
      cashUnits: row.cashAfterUnits,
    })),
    ...opened.map((row) => ({
      type: 'cash' as const,
      seq: row.created_seq,
      accountId: row.id,
      cashUnits: row.starting_balance_units,
    })),
  ];
}

/** Finds which of the keys are not revoked. */
export async function liveKeys(db: ReadDb, keyIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('api_keys')
    .select('id')
    .where((eb) => eb('id', '=', eb.fn.any(eb.val(keyIds))))
    .where('revoked_at_ms', 'is', null)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/**
 * Reads each kind account by account, from its own index and no further than the page goes. With one condition on all
 * accounts, Postgres would sort everything that they ever did for each page.
 */
function ofEach(db: ReadDb, accountIds: readonly string[]) {
  return db.selectFrom('accounts').where((eb) => eb('accounts.id', '=', eb.fn.any(eb.val(accountIds))));
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
  return ordersAfter(db, filter, 'created_seq')
    .select((eb) =>
      eb
        .selectFrom('fills')
        .select((own) => own('fills.order_id', '=', own.ref('found.id')).as('own'))
        .where('fills.role', '=', 'taker')
        .where('fills.seq', '=', (own) => own(own.ref('found.created_seq'), '+', 1))
        .as('takes'),
    )
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('order_changes')
          .select(['former_price_units as placed_price_units', 'former_quantity as placed_quantity'])
          .whereRef('order_changes.order_id', '=', 'found.id')
          .orderBy('order_changes.seq')
          .limit(1)
          .as('first_change'),
      (join) => join.onTrue(),
    )
    .select(['placed_price_units', 'placed_quantity'])
    .execute();
}

/** Changes of orders, each with its order's row. */
function changesOf(db: ReadDb, { accountIds, after, limit }: EventsAfter) {
  return ofEach(db, accountIds)
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('order_changes')
          .selectAll('order_changes')
          .whereRef('order_changes.account_id', '=', 'accounts.id')
          .where('order_changes.seq', '>', after)
          .orderBy('order_changes.seq')
          .limit(limit)
          .as('change'),
      (join) => join.onTrue(),
    )
    .innerJoin('orders', 'orders.id', 'change.order_id')
    .selectAll('orders')
    .select([
      'change.seq',
      'change.price_units as changed_price_units',
      'change.quantity as changed_quantity',
      'change.filled as filled_before',
      'change.fill_quantity',
      'change.rest_quantity',
    ])
    .select((eb) =>
      eb
        .selectFrom('fills')
        .select(sql<number>`coalesce(sum(fills.price_units * fills.quantity), 0)::int8`.as('units'))
        .whereRef('fills.order_id', '=', 'change.order_id')
        .whereRef('fills.seq', '<', 'change.seq')
        .as('filled_cost_before_units'),
    )
    .orderBy('change.seq')
    .limit(limit)
    .execute();
}

/** Settlements are rare, so without any no account is looked up. */
function settlementsOf(db: ReadDb, { accountIds, after, limit }: EventsAfter) {
  const accounts = ofEach(db, accountIds).where((eb) =>
    eb(
      eb.selectFrom('settlements').select((newest) => newest.fn.max('seq').as('seq')),
      '>',
      after,
    ),
  );
  return settlementsAfter(accounts, after, limit)
    .innerJoin('markets', 'markets.id', 'settlement.marketId')
    .select(MARKET_NAME)
    .execute();
}

function mergesOf(db: ReadDb, { accountIds, after, limit }: EventsAfter) {
  const accounts = ofEach(db, accountIds).where((eb) =>
    eb(
      eb.selectFrom('merges').select((newest) => newest.fn.max('seq').as('seq')),
      '>',
      after,
    ),
  );
  return mergesAfter(accounts, after, limit).execute();
}

function endedOrders(db: ReadDb, filter: EventsAfter): Promise<OrderRow[]> {
  return ordersAfter(db, filter, 'ended_seq').execute();
}

function ordersAfter(db: ReadDb, { accountIds, after, limit }: EventsAfter, by: 'created_seq' | 'ended_seq') {
  return ofEach(db, accountIds)
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('orders')
          .selectAll('orders')
          .whereRef('orders.account_id', '=', 'accounts.id')
          .where(`orders.${by}`, '>', after)
          .orderBy(`orders.${by}`)
          .limit(limit)
          .as('found'),
      (join) => join.onTrue(),
    )
    .selectAll('found')
    .orderBy(`found.${by}`)
    .limit(limit);
}

function fillsOf(db: ReadDb, { accountIds, after, limit }: EventsAfter) {
  return fillsAfter(ofEach(db, accountIds), after, limit)
    .innerJoin('markets', 'markets.id', 'fill.marketId')
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
  // Only an order that rests can be changed.
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
