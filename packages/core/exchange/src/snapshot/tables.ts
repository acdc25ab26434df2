import { sortKeys } from '../fields.ts';
import type { Account, ApiKey, Position } from '../state/account.ts';
import type { Order } from '../state/book.ts';
import type { Market } from '../state/market.ts';
import { textsOf } from '../state/packed.ts';
import type { IdempotencyTable, Numbers, Table, Texts } from '../state/packed.ts';
import type { State } from '../state/state.ts';
import { OUTCOMES, SIDES } from '../vocabulary.ts';
import { optionalColumns } from './optional-columns.ts';

/**
 * Must be raised when the content of a snapshot changes, and when `evolve` folds the same events to another state: a
 * snapshot of another version is not loaded. The fingerprint in test/snapshot/snapshot-golden.spec.ts detects both.
 */
export const SNAPSHOT_VERSION = 9;

/**
 * Rows of one kind by column, which is the fastest form to read, in the order of this list. Rows refer to accounts,
 * markets and positions by number, from 0 over all tables of the kind.
 */
export type SnapshotTable =
  | ReturnType<typeof stateTable>
  | ReturnType<typeof accountTable>
  | ReturnType<typeof keyTable>
  | ReturnType<typeof marketTable>
  | ReturnType<typeof positionTable>
  | ReturnType<typeof orderTable>
  | ReturnType<typeof runTable>
  | ReturnType<typeof signalTable>
  | IdempotencyTable<'idempotency'>
  | IdempotencyTable<'client_order'>
  | ReturnType<typeof endTable>;

export type StateFields = Pick<State, 'seq' | 'lastAt' | 'epoch' | 'rulesVersion' | 'settings' | 'grantedUnits'> & {
  readonly version: number;
};

/** The table of a single row. */
export function stateTable(fields: StateFields) {
  return table('state', 1, { json: textsOf([JSON.stringify(fields)]) });
}

/** Rows in the order of opening, so that a primary comes before its sub-accounts. */
export function accountTable(accounts: readonly Account[]) {
  return table('account', accounts.length, {
    id: textsOf(accounts.map(({ id }) => id)),
    createdAt: numbers(accounts, ({ createdAt }) => createdAt),
    startingBalanceUnits: numbers(accounts, ({ startingBalanceUnits }) => startingBalanceUnits),
    /** Number of the primary; −1 for a primary. */
    primary: numbers(accounts, ({ primary }) => (primary === null ? -1 : primary.number)),
    approved: numbers(accounts, ({ approved }) => (approved ? 1 : 0)),
    openedBy: textsOf(accounts.map(({ openedBy }) => openedBy ?? '')),
    cashUnits: numbers(accounts, ({ cashUnits }) => cashUnits),
    reservedUnits: numbers(accounts, ({ reservedUnits }) => reservedUnits),
    renamed: textsOf(accounts.map(({ renamed }) => (renamed === null ? '' : JSON.stringify(renamed)))),
    closure: textsOf(accounts.map(({ closure }) => (closure === null ? '' : JSON.stringify(closure)))),
    cancelsAt: numbers(accounts, ({ cancelsAt }) => cancelsAt ?? -1),
    armedSeq: numbers(accounts, ({ armedSeq }) => armedSeq),
    timerIndex: numbers(accounts, ({ heapIndex }) => heapIndex),
  });
}

/** Live keys in the order of issue, then the revoked keys that are still in the state, in the order of revocation. */
export function keyTable(keys: readonly ApiKey[]) {
  return table('key', keys.length, {
    id: textsOf(keys.map(({ id }) => id)),
    hash: textsOf(keys.map(({ hash }) => hash)),
    account: numbers(keys, ({ account }) => account.number),
    permissions: textsOf(keys.map(({ permissions }) => JSON.stringify(permissions))),
    revokedAt: numbers(keys, ({ revokedAt }) => revokedAt ?? -1),
    mandate: textsOf(keys.map(({ mandate }) => (mandate === null ? '' : JSON.stringify(mandate)))),
    spentDay: numbers(keys, ({ spentDay }) => spentDay),
    spentUnits: numbers(keys, ({ spentUnits }) => spentUnits),
  });
}

/** The fields of a market that a snapshot holds, in their order there. */
const MARKET_FIELDS = [
  'id',
  'bodyHash',
  'category',
  'companySlug',
  'createdAt',
  'priorUnits',
  'sector',
  'settlementSource',
  'tickUnits',
  'ticker',
  'citationUrl',
  'closesAt',
  'hasClosingTime',
  'companyImpact',
  'description',
  'drivers',
  'title',
  'phase',
  'pairs',
  'poolUnits',
  'volume',
  'lastTradeUnits',
  'lastSeq',
  'resolvedOutcome',
  'yesPayoutUnits',
  'resolvedAt',
  'run',
  'settlement',
  'cancelledInRun',
  'settledInRun',
  'paidInRunUnits',
  'settledUpTo',
] as const;

export type MarketFields = Pick<Market, (typeof MARKET_FIELDS)[number]> & {
  readonly timerIndex: number;
};

/** Rows in the order of listing: the JSON of MarketFields. */
export function marketTable(markets: readonly Market[]) {
  const json = markets.map((market) => {
    const fields = MARKET_FIELDS.map((name) => [name, market[name]] as const);
    return JSON.stringify({ ...Object.fromEntries(fields), timerIndex: market.heapIndex });
  });
  return table('market', markets.length, { json: textsOf(json) });
}

/** A position, with the number of its market. */
export interface MarketPosition {
  readonly market: number;
  readonly position: Position;
}

/** Positions, stored as `place`: market by market, and within a market in the order of settlement. */
export function positionTable(positions: readonly MarketPosition[]) {
  return table('place', positions.length, {
    market: numbers(positions, ({ market }) => market),
    account: numbers(positions, ({ position }) => position.account.number),
    yes: numbers(positions, ({ position }) => position.yes),
    no: numbers(positions, ({ position }) => position.no),
    yesCostUnits: numbers(positions, ({ position }) => position.yesCostUnits),
    noCostUnits: numbers(positions, ({ position }) => position.noCostUnits),
    yesReserved: numbers(positions, ({ position }) => position.yesReserved),
    noReserved: numbers(positions, ({ position }) => position.noReserved),
    settled: numbers(positions, ({ position }) => (position.settled ? 1 : 0)),
  });
}

/** A resting order, with the number of its market and the index of its position in that market. */
export interface RestingOrder {
  readonly market: number;
  readonly positionIndex: number;
  readonly order: Order;
}

/** Resting orders: by market, then by side of the book, best price first; at one price the first in comes first. */
export function orderTable(orders: readonly RestingOrder[]) {
  return table('order', orders.length, {
    id: textsOf(orders.map(({ order }) => order.id)),
    market: numbers(orders, ({ market }) => market),
    place: numbers(orders, ({ positionIndex }) => positionIndex),
    outcome: numbers(orders, ({ order }) => OUTCOMES.indexOf(order.outcome)),
    side: numbers(orders, ({ order }) => SIDES.indexOf(order.side)),
    priceUnits: numbers(orders, ({ order }) => order.priceUnits),
    quantity: numbers(orders, ({ order }) => order.quantity),
    remaining: numbers(orders, ({ order }) => order.remaining),
    filledCostUnits: numbers(orders, ({ order }) => order.filledCostUnits),
    acceptedSeq: numbers(orders, ({ order }) => order.acceptedSeq),
    ...sortKeys({
      ...optionalColumns(orders.map(({ order }) => order)),
      createdAt: numbers(orders, ({ order }) => order.createdAt),
    }),
    timerIndex: numbers(orders, ({ order }) => order.heapIndex),
  });
}

/** The ids of markets, in the order in which their runs began. */
export function runTable(marketIds: readonly string[]) {
  return table('run', marketIds.length, { marketId: textsOf(marketIds) });
}

/** Keys of signals, with the sequences of the events that recorded them. */
export function signalTable(signals: readonly (readonly [key: string, seq: number])[]) {
  return table('signal', signals.length, {
    key: textsOf(signals.map(([key]) => key)),
    seq: numbers(signals, ([, seq]) => seq),
  });
}

/** The last table: the number of rows in all tables before it. */
export function endTable(rows: number) {
  return table('end', 1, { rows: Float64Array.of(rows) });
}

function table<const Kind extends string, const Columns extends Readonly<Record<string, Texts | Numbers>>>(
  kind: Kind,
  rows: number,
  columns: Columns,
): Table<Kind, Columns> {
  return { kind, rows, columns };
}

/** A column of numbers. */
export function numbers<T>(items: readonly T[], of: (item: T) => number): Numbers {
  return new Float64Array(items.map(of));
}
