import type { Settings } from '../commands.ts';
import type { Run, Settlement } from '../state/market.ts';
import type { IdempotencyTable, Numbers, Table, Texts } from '../state/packed.ts';
import type { Outcome, Phase } from '../vocabulary.ts';

/**
 * Must be raised when the content of a snapshot changes, and when `evolve` makes another state of the same events. A
 * snapshot of another version is not loaded. The fingerprint in test/snapshot-golden.spec.ts detects both changes.
 */
export const SNAPSHOT_VERSION = 7;

/**
 * A part of a snapshot: rows of one kind, column by column, as they are read fastest. Kinds come in the order in which
 * they stand here. Accounts, markets and positions are named by their number, from 0 over all tables of their kind.
 */
export type SnapshotTable =
  | StateTable
  | AccountTable
  | KeyTable
  | MarketTable
  | PositionTable
  | OrderTable
  | RunTable
  | SignalTable
  | IdempotencyTable
  | EndTable;

/** The table of a single row, which holds the JSON of StateFields. */
export type StateTable = Table<'state', { readonly json: Texts }>;

export interface StateFields {
  readonly version: number;
  readonly seq: number;
  readonly lastAt: number;
  readonly epoch: number;
  readonly rulesVersion: number;
  readonly settings: Settings;
  readonly grantedUnits: number;
}

/** Rows in the order of opening, so that a primary comes before its sub-accounts. */
export type AccountTable = Table<
  'account',
  {
    readonly id: Texts;
    readonly createdAt: Numbers;
    readonly startingBalanceUnits: Numbers;
    /** Number of the primary; −1 for a primary. */
    readonly primary: Numbers;
    readonly approved: Numbers;
    /** The operator that opened a primary; empty for a sub-account. */
    readonly openedBy: Texts;
    readonly cashUnits: Numbers;
    readonly reservedUnits: Numbers;
    /** The JSON of a closed primary's closure; empty for all others. */
    readonly closure: Texts;
    /** When the dead-man switch is due; −1 when it is off. */
    readonly cancelsAt: Numbers;
    readonly armedSeq: Numbers;
    /** The account's index in the queue of switches; −1 when it is not in the queue. */
    readonly timerIndex: Numbers;
  }
>;

/** Live keys in the order in which they were issued, then the revoked ones that are known still, by their revocation. */
export type KeyTable = Table<
  'key',
  {
    readonly id: Texts;
    readonly hash: Texts;
    readonly account: Numbers;
    /** The list of permissions as JSON. */
    readonly permissions: Texts;
    /** −1 for a live one. */
    readonly revokedAt: Numbers;
    /** The JSON of the mandate; empty where there is none. */
    readonly mandate: Texts;
    readonly spentDay: Numbers;
    readonly spentUnits: Numbers;
  }
>;

/** Rows in the order of listing: the JSON of MarketFields. */
export type MarketTable = Table<'market', { readonly json: Texts }>;

export interface MarketFields {
  readonly id: string;
  readonly bodyHash: string;
  readonly category: string;
  readonly companySlug: string;
  readonly createdAt: number;
  readonly priorUnits: number;
  readonly sector: string;
  readonly settlementSource: string;
  readonly tickUnits: number;
  readonly ticker: string;
  readonly citationUrl: string | null;
  readonly closesAt: number;
  readonly hasClosingTime: boolean;
  readonly companyImpact: number;
  readonly description: string | null;
  readonly drivers: readonly string[];
  readonly title: string;
  readonly phase: Phase;
  readonly pairs: number;
  readonly poolUnits: number;
  readonly volume: number;
  readonly lastTradeUnits: number | null;
  readonly lastSeq: number;
  readonly resolvedOutcome: Outcome | null;
  readonly yesPayoutUnits: number | null;
  readonly resolvedAt: number | null;
  readonly run: Run | null;
  readonly settlement: Settlement | null;
  readonly cancelledInRun: number;
  readonly settledInRun: number;
  readonly paidInRunUnits: number;
  readonly settledUpTo: number;
  /** The market's index in the close queue, −1 when it is not in the queue. */
  readonly timerIndex: number;
}

/** Positions, stored as `place`: market by market, and there in the order in which they are settled. */
export type PositionTable = Table<
  'place',
  {
    readonly market: Numbers;
    readonly account: Numbers;
    readonly yes: Numbers;
    readonly no: Numbers;
    readonly yesCostUnits: Numbers;
    readonly noCostUnits: Numbers;
    readonly yesReserved: Numbers;
    readonly noReserved: Numbers;
    readonly settled: Numbers;
  }
>;

/** Market by market; there each side of the book best first, and within a level first in, first out. */
export type OrderTable = Table<
  'order',
  {
    readonly id: Texts;
    readonly market: Numbers;
    readonly place: Numbers;
    readonly outcome: Numbers;
    readonly side: Numbers;
    readonly priceUnits: Numbers;
    readonly quantity: Numbers;
    readonly remaining: Numbers;
    readonly acceptedSeq: Numbers;
    /** Empty where the order has none. */
    readonly clientOrderId: Texts;
    readonly createdAt: Numbers;
    /** −1 where the order does not expire. */
    readonly expiresAt: Numbers;
    readonly postOnly: Numbers;
    /** The order's index in the queue of expiries; −1 when it is not in the queue. */
    readonly timerIndex: Numbers;
  }
>;

/** Rows in the order in which the runs began. */
export type RunTable = Table<'run', { readonly marketId: Texts }>;

export type SignalTable = Table<'signal', { readonly key: Texts; readonly seq: Numbers }>;

/** The last table: the number of rows of all tables before it. */
export type EndTable = Table<'end', { readonly rows: Numbers }>;
