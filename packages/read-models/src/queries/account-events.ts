import type { AccountEventView, OrderView } from '@paper/contracts';
import type { CancelReason } from '@paper/exchange';
import type { ReadDb } from '../schema/database.ts';
import { fillsAfter, toFillView } from './fills.ts';
import { MARKET_NAME } from './market-row.ts';
import { toOrderView } from '../schema/orders.ts';
import type { OrderRow } from '../schema/orders.ts';

export interface AccountEventFilter {
  readonly accountIds: readonly string[];
  /** Events with sequences after this one. */
  readonly after: number;
  /** Rows that are read of each kind at most; at least 3, since a trade has two sides. */
  readonly limit: number;
}

export interface AccountEventPage {
  /** The events, in the order of their sequences. A trade between two of the accounts appears once for each of them. */
  readonly events: readonly AccountEventView[];
  /**
   * The last sequence up to which this page and the pages before it are complete; null where no further events exist.
   */
  readonly upTo: number | null;
}

/**
 * The events of these accounts' orders: placements, fills, cancels, each as it was at its event. Rows change later only
 * when an order ends, so reading the same page again gives the same content.
 */
export async function accountEvents(db: ReadDb, filter: AccountEventFilter): Promise<AccountEventPage> {
  const { limit } = filter;
  const [placed, ended, fills] = [
    await placedOrders(db, filter),
    await endedOrders(db, filter),
    await fillsOf(db, filter),
  ];
  // The last sequence of a kind that has more rows may be incomplete, so the page ends before it.
  const ends = [placed.at(limit - 1)?.created_seq, ended.at(limit - 1)?.ended_seq, fills.at(limit - 1)?.seq].flatMap(
    (seq) => (seq === undefined || seq === null ? [] : [seq - 1]),
  );
  const upTo = ends.length === 0 ? null : Math.min(...ends);

  const filled = new Map<string, OrderView>();
  const events: AccountEventView[] = [];
  for (const row of placed) {
    events.push({
      type: 'order',
      seq: row.created_seq,
      accountId: row.account_id,
      order: asPlaced(row, row.takes === true),
      reason: null,
    });
  }
  for (const row of ended) {
    if (row.ended_seq === null) continue;
    if (row.status === 'filled') {
      filled.set(row.id, toOrderView(row));
    } else {
      const { account_id: accountId, ended_seq: seq, reason } = row;
      events.push({ type: 'order', seq, accountId, order: toOrderView(row), reason });
    }
  }
  const endOf = new Map(ended.map((row) => [row.id, row.ended_seq]));
  for (const row of fills) {
    const order = endOf.get(row.order_id) === row.seq ? (filled.get(row.order_id) ?? null) : null;
    events.push({ type: 'fill', seq: row.seq, accountId: row.account_id, fill: toFillView(row), order });
  }
  const whole = upTo === null ? events : events.filter(({ seq }) => seq <= upTo);
  return { events: whole.sort((a, b) => a.seq - b.seq), upTo };
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
 * Each kind is read account by account, from its own index and no further than the page goes: with one condition on all
 * accounts at once, Postgres would sort all that the accounts ever did for each page.
 */
function ofEach(db: ReadDb, accountIds: readonly string[]) {
  return db.selectFrom('accounts').where((eb) => eb('accounts.id', '=', eb.fn.any(eb.val(accountIds))));
}

/**
 * Placed orders. `takes`: the order was filled in its own decision, where the first fill follows the placement at once.
 */
function placedOrders(db: ReadDb, filter: AccountEventFilter) {
  return ordersAfter(db, filter, 'created_seq')
    .select((eb) =>
      eb
        .selectFrom('fills')
        .select((own) => own('fills.order_id', '=', own.ref('found.id')).as('own'))
        .where('fills.role', '=', 'taker')
        .where('fills.seq', '=', (own) => own(own.ref('found.created_seq'), '+', 1))
        .as('takes'),
    )
    .execute();
}

function endedOrders(db: ReadDb, filter: AccountEventFilter): Promise<OrderRow[]> {
  return ordersAfter(db, filter, 'ended_seq').execute();
}

/** Orders after a sequence, sorted by the sequence of their placement or of their end. */
function ordersAfter(db: ReadDb, { accountIds, after, limit }: AccountEventFilter, by: 'created_seq' | 'ended_seq') {
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

function fillsOf(db: ReadDb, { accountIds, after, limit }: AccountEventFilter) {
  return fillsAfter(ofEach(db, accountIds), after, limit)
    .innerJoin('markets', 'markets.id', 'fill.market_id')
    .select(MARKET_NAME)
    .execute();
}

/** Cancels of what rested; every other reason is of what could not rest. */
const OF_RESTING: ReadonlySet<CancelReason | null> = new Set([null, 'user', 'market_closed', 'market_resolved']);

/** The order at its placement. It reserves money only if all of it rests at once. */
function asPlaced(row: OrderRow, takes: boolean): OrderView {
  const order = toOrderView({ ...row, filled: 0, filled_cost_units: 0, status: 'open', reason: null, ended_seq: null });
  const rests = !takes && row.order_type === 'limit' && row.time_in_force === 'GTC' && OF_RESTING.has(row.reason);
  return rests ? order : { ...order, reservedUnits: 0 };
}
