import type { ApiKey } from '../state/account.ts';
import type { BookSide, Level, Order } from '../state/book.ts';
import { NO_BATCH_INDEX } from '../state/packed-keys.ts';
import type { RememberedKey } from '../state/packed-keys.ts';
import { TABLE_ROWS_MAX, textsOf } from '../state/packed.ts';
import type { IdempotencyTable } from '../state/packed.ts';
import type { State } from '../state/state.ts';
import * as tables from './tables.ts';
import type { MarketPosition, RestingOrder, SnapshotTable } from './tables.ts';

/**
 * The whole state as tables of plain data, from which a `Restoration` makes it again; the same events give the same
 * tables. Left out are two caches: State.lastMarket and Account.lastPosition.
 * @throws Error within a decision, while an order's fills are not all applied.
 */
export function* snapshot(state: State): Generator<SnapshotTable, void, undefined> {
  let rows = 0;
  for (const table of contents(state)) {
    rows += table.rows;
    yield table;
  }
  yield tables.endTable(rows);
}

function* contents(state: State): Generator<SnapshotTable, void, undefined> {
  if (state.incoming !== null) throw new Error(`a snapshot after event ${state.seq} would be within a decision`);
  const { seq, lastAt, epoch, rulesVersion, settings, grantedUnits } = state;
  const version = tables.SNAPSHOT_VERSION;
  yield tables.stateTable({ version, seq, lastAt, epoch, rulesVersion, settings, grantedUnits });
  for (const accounts of chunks(state.accounts.values())) yield tables.accountTable(accounts);
  for (const keys of chunks(keysOf(state))) yield tables.keyTable(keys);
  for (const markets of chunks(state.markets.values())) yield tables.marketTable(markets);
  for (const positions of chunks(positionsOf(state))) yield tables.positionTable(positions);
  for (const orders of chunks(ordersOf(state))) yield tables.orderTable(orders);
  for (const marketIds of chunks(state.runs.keys())) yield tables.runTable(marketIds);
  for (const signals of chunks(state.signals)) yield tables.signalTable(signals);
  yield* idempotencyTables('idempotency', [...state.idempotency.oldestFirst()]);
  yield* idempotencyTables('client_order', [...state.clientOrderIds.ended.oldestFirst()]);
}

type FleetKey = RememberedKey & { readonly fleet: number };

function* idempotencyTables(
  kind: IdempotencyTable['kind'],
  keys: readonly FleetKey[],
): Generator<IdempotencyTable, void, undefined> {
  const sorted = [...keys.keys()].sort((a, b) => byScope(keys[a], keys[b]) || a - b);
  let from = 0;
  for (const some of chunks(keys)) {
    yield {
      kind,
      rows: some.length,
      columns: {
        scope: textsOf(some.map(({ scope }) => scope)),
        index: tables.numbers(some, ({ index }) => index ?? NO_BATCH_INDEX),
        fingerprint: textsOf(some.map(({ fingerprint }) => fingerprint)),
        at: tables.numbers(some, ({ at }) => at),
        seq: tables.numbers(some, ({ seq }) => seq),
        fleet: tables.numbers(some, ({ fleet }) => fleet),
        sorted: new Float64Array(sorted.slice(from, from + some.length)),
      },
    };
    from += some.length;
  }
}

function byScope(a: RememberedKey | undefined, b: RememberedKey | undefined): number {
  if (a === undefined || b === undefined) return 0;
  if (a.scope === b.scope) return (a.index ?? NO_BATCH_INDEX) - (b.index ?? NO_BATCH_INDEX);
  return a.scope < b.scope ? -1 : 1;
}

function* keysOf(state: State): Generator<ApiKey, void, undefined> {
  for (const key of state.keys.values()) if (key.revokedAt === null) yield key;
  yield* state.revokedKeys.oldestFirst();
}

function* positionsOf(state: State): Generator<MarketPosition, void, undefined> {
  let market = 0;
  for (const { positions } of state.markets.values()) {
    for (const position of positions) yield { market, position };
    market += 1;
  }
}

function* ordersOf(state: State): Generator<RestingOrder, void, undefined> {
  let number = 0;
  for (const market of state.markets.values()) {
    const positions = new Map(market.positions.map((position, index) => [position, index]));
    for (const side of [market.book.yes, market.book.no]) {
      for (const order of inBookOrder(side)) {
        const positionIndex = positions.get(order.position);
        if (positionIndex === undefined) throw new Error(`order ${order.id} has no position in market ${market.id}`);
        yield { market: number, positionIndex, order };
      }
    }
    number += 1;
  }
}

function* inBookOrder(side: BookSide): Generator<Order, void, undefined> {
  for (let level: Level | null = side.best; level !== null; level = side.worse(level)) {
    for (let order: Order | null = level.head; order !== null; order = order.next) yield order;
  }
}

function* chunks<T>(items: Iterable<T>): Generator<T[], void, undefined> {
  let chunk: T[] = [];
  for (const item of items) {
    chunk.push(item);
    if (chunk.length === TABLE_ROWS_MAX) {
      yield chunk;
      chunk = [];
    }
  }
  if (chunk.length > 0) yield chunk;
}
