import type { Account, ApiKey, Position } from '../state/account.ts';
import type { BookSide, Level, Order } from '../state/book.ts';
import { SINGLE } from '../state/key-run.ts';
import type { RememberedKey } from '../state/key-run.ts';
import type { Market } from '../state/market.ts';
import { TABLE_ROWS_MAX, textsOf } from '../state/packed.ts';
import type { IdempotencyTable, Numbers } from '../state/packed.ts';
import type { State } from '../state/state.ts';
import { OUTCOMES, SIDES } from '../vocabulary.ts';
import { SNAPSHOT_VERSION } from './tables.ts';
import type {
  AccountTable,
  KeyTable,
  MarketFields,
  OrderTable,
  PositionTable,
  SnapshotTable,
  StateFields,
} from './tables.ts';

/**
 * Takes a snapshot: the whole state as tables of plain data, from which a `Restoration` makes it again. The same events
 * give the same tables, whether folded from the first event or from an earlier snapshot. Two caches are left out, since
 * no decision depends on them: State.lastMarket and Account.lastPosition.
 *
 * @throws Error within a decision, while an order's fills are not all applied.
 */
export function* snapshot(state: State): Generator<SnapshotTable, void, undefined> {
  let rows = 0;
  for (const table of contents(state)) {
    rows += table.rows;
    yield table;
  }
  yield { kind: 'end', rows: 1, columns: { rows: Float64Array.of(rows) } };
}

function* contents(state: State): Generator<SnapshotTable, void, undefined> {
  if (state.incoming !== null) throw new Error(`a snapshot after event ${state.seq} would be within a decision`);
  const { seq, lastAt, epoch, rulesVersion, settings, grantedUnits } = state;
  const fields: StateFields = { version: SNAPSHOT_VERSION, seq, lastAt, epoch, rulesVersion, settings, grantedUnits };
  yield { kind: 'state', rows: 1, columns: { json: textsOf([JSON.stringify(fields)]) } };
  for (const accounts of chunks(state.accounts.values())) yield accountTable(accounts);
  for (const keys of chunks(keysOf(state))) yield keyTable(keys);
  for (const markets of chunks(state.markets.values())) {
    const json = textsOf(markets.map((market) => JSON.stringify(marketFields(market))));
    yield { kind: 'market', rows: markets.length, columns: { json } };
  }
  for (const positions of chunks(positionsOf(state))) yield positionTable(positions);
  for (const orders of chunks(ordersOf(state))) yield orderTable(orders);
  for (const marketId of chunks(state.runs.keys())) {
    yield { kind: 'run', rows: marketId.length, columns: { marketId: textsOf(marketId) } };
  }
  for (const signals of chunks(state.signals)) {
    const [key, seqs] = [textsOf(signals.map(([each]) => each)), numbers(signals, ([, each]) => each)];
    yield { kind: 'signal', rows: signals.length, columns: { key, seq: seqs } };
  }
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
        index: numbers(some, ({ index }) => index ?? SINGLE),
        fingerprint: textsOf(some.map(({ fingerprint }) => fingerprint)),
        at: numbers(some, ({ at }) => at),
        seq: numbers(some, ({ seq }) => seq),
        fleet: numbers(some, ({ fleet }) => fleet),
        sorted: new Float64Array(sorted.slice(from, from + some.length)),
      },
    };
    from += some.length;
  }
}

function byScope(a: RememberedKey | undefined, b: RememberedKey | undefined): number {
  if (a === undefined || b === undefined) return 0;
  if (a.scope === b.scope) return (a.index ?? SINGLE) - (b.index ?? SINGLE);
  return a.scope < b.scope ? -1 : 1;
}

function accountTable(accounts: readonly Account[]): AccountTable {
  return {
    kind: 'account',
    rows: accounts.length,
    columns: {
      id: textsOf(accounts.map(({ id }) => id)),
      createdAt: numbers(accounts, ({ createdAt }) => createdAt),
      startingBalanceUnits: numbers(accounts, ({ startingBalanceUnits }) => startingBalanceUnits),
      primary: numbers(accounts, ({ primary }) => (primary === null ? -1 : primary.number)),
      approved: numbers(accounts, ({ approved }) => (approved ? 1 : 0)),
      openedBy: textsOf(accounts.map(({ openedBy }) => openedBy ?? '')),
      cashUnits: numbers(accounts, ({ cashUnits }) => cashUnits),
      reservedUnits: numbers(accounts, ({ reservedUnits }) => reservedUnits),
      closure: textsOf(accounts.map(({ closure }) => (closure === null ? '' : JSON.stringify(closure)))),
      cancelsAt: numbers(accounts, ({ cancelsAt }) => cancelsAt ?? -1),
      armedSeq: numbers(accounts, ({ armedSeq }) => armedSeq),
      timerIndex: numbers(accounts, ({ timerIndex }) => timerIndex),
    },
  };
}

function* keysOf(state: State): Generator<ApiKey, void, undefined> {
  for (const key of state.keys.values()) if (key.revokedAt === null) yield key;
  yield* state.revokedKeys.oldestFirst();
}

function keyTable(keys: readonly ApiKey[]): KeyTable {
  return {
    kind: 'key',
    rows: keys.length,
    columns: {
      id: textsOf(keys.map(({ id }) => id)),
      hash: textsOf(keys.map(({ hash }) => hash)),
      account: numbers(keys, ({ account }) => account.number),
      permissions: textsOf(keys.map(({ permissions }) => JSON.stringify(permissions))),
      revokedAt: numbers(keys, ({ revokedAt }) => revokedAt ?? -1),
      mandate: textsOf(keys.map(({ mandate }) => (mandate === null ? '' : JSON.stringify(mandate)))),
      spentDay: numbers(keys, ({ spentDay }) => spentDay),
      spentUnits: numbers(keys, ({ spentUnits }) => spentUnits),
    },
  };
}

/** A position, and the number of its market. */
interface MarketPosition {
  readonly market: number;
  readonly position: Position;
}

function* positionsOf(state: State): Generator<MarketPosition, void, undefined> {
  let market = 0;
  for (const { positions } of state.markets.values()) {
    for (const position of positions) yield { market, position };
    market += 1;
  }
}

function positionTable(positions: readonly MarketPosition[]): PositionTable {
  return {
    kind: 'place',
    rows: positions.length,
    columns: {
      market: numbers(positions, ({ market }) => market),
      account: numbers(positions, ({ position }) => position.account.number),
      yes: numbers(positions, ({ position }) => position.yes),
      no: numbers(positions, ({ position }) => position.no),
      yesCostUnits: numbers(positions, ({ position }) => position.yesCostUnits),
      noCostUnits: numbers(positions, ({ position }) => position.noCostUnits),
      yesReserved: numbers(positions, ({ position }) => position.yesReserved),
      noReserved: numbers(positions, ({ position }) => position.noReserved),
      settled: numbers(positions, ({ position }) => (position.settled ? 1 : 0)),
    },
  };
}

/** A resting order, with the number of its market and the index of its position in that market. */
interface Resting {
  readonly market: number;
  readonly positionIndex: number;
  readonly order: Order;
}

function* ordersOf(state: State): Generator<Resting, void, undefined> {
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

function orderTable(orders: readonly Resting[]): OrderTable {
  return {
    kind: 'order',
    rows: orders.length,
    columns: {
      id: textsOf(orders.map(({ order }) => order.id)),
      market: numbers(orders, ({ market }) => market),
      place: numbers(orders, ({ positionIndex }) => positionIndex),
      outcome: numbers(orders, ({ order }) => OUTCOMES.indexOf(order.outcome)),
      side: numbers(orders, ({ order }) => SIDES.indexOf(order.side)),
      priceUnits: numbers(orders, ({ order }) => order.priceUnits),
      quantity: numbers(orders, ({ order }) => order.quantity),
      remaining: numbers(orders, ({ order }) => order.remaining),
      acceptedSeq: numbers(orders, ({ order }) => order.acceptedSeq),
      clientOrderId: textsOf(orders.map(({ order }) => order.clientOrderId ?? '')),
      createdAt: numbers(orders, ({ order }) => order.createdAt),
      expiresAt: numbers(orders, ({ order }) => order.expiresAt ?? -1),
      postOnly: numbers(orders, ({ order }) => (order.postOnly ? 1 : 0)),
      timerIndex: numbers(orders, ({ order }) => order.timerIndex),
    },
  };
}

/** The items, as many at a time as a table has rows. */
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

function numbers<T>(items: readonly T[], of: (item: T) => number): Numbers {
  return new Float64Array(items.map(of));
}

function marketFields(market: Market): MarketFields {
  return {
    id: market.id,
    bodyHash: market.bodyHash,
    category: market.category,
    companySlug: market.companySlug,
    createdAt: market.createdAt,
    priorUnits: market.priorUnits,
    sector: market.sector,
    settlementSource: market.settlementSource,
    tickUnits: market.tickUnits,
    ticker: market.ticker,
    citationUrl: market.citationUrl,
    closesAt: market.closesAt,
    hasClosingTime: market.hasClosingTime,
    companyImpact: market.companyImpact,
    description: market.description,
    drivers: market.drivers,
    title: market.title,
    phase: market.phase,
    pairs: market.pairs,
    poolUnits: market.poolUnits,
    volume: market.volume,
    lastTradeUnits: market.lastTradeUnits,
    lastSeq: market.lastSeq,
    resolvedOutcome: market.resolvedOutcome,
    yesPayoutUnits: market.yesPayoutUnits,
    resolvedAt: market.resolvedAt,
    run: market.run,
    settlement: market.settlement,
    cancelledInRun: market.cancelledInRun,
    settledInRun: market.settledInRun,
    paidInRunUnits: market.paidInRunUnits,
    settledUpTo: market.settledUpTo,
    timerIndex: market.timerIndex,
  };
}
