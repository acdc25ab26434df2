import type { Outcome, Permission, Settings, Side } from '../commands.ts';
import type { Phase, Run, Settlement } from '../market.ts';

/**
 * Raised when a snapshot carries something else, and when `evolve` makes another state of the same events: a snapshot
 * of another version is of no use. The fingerprint in test/snapshot-golden.spec.ts tells.
 */
export const SNAPSHOT_VERSION = 1;

/** A line of a snapshot: plain data, its kind first. Accounts and places are named by their number, from 0. */
export type SnapshotLine =
  | StateLine
  | AccountLine
  | KeyLine
  | MarketLine
  | PlaceLine
  | OrderLine
  | RunLine
  | SignalLine
  | IdempotencyLine
  | EndLine;

/** The first line. */
export type StateLine = readonly [
  kind: 'state',
  state: {
    readonly version: number;
    readonly seq: number;
    readonly lastAt: number;
    readonly epoch: number;
    readonly settings: Settings;
    readonly grantedUnits: number;
  },
];

/** In the order of opening, so that a primary comes before its sub-accounts. */
export type AccountLine = readonly [
  kind: 'account',
  id: string,
  displayName: string,
  createdAt: number,
  startingBalanceUnits: number,
  /** Number of the primary's line; null for a primary. */
  primary: number | null,
  approved: boolean,
  cashUnits: number,
  reservedUnits: number,
  openOrders: number,
  liveKeys: number,
  subAccounts: number,
];

export type KeyLine = readonly [
  kind: 'key',
  id: string,
  hash: string,
  account: number,
  permissions: readonly Permission[],
  revoked: boolean,
];

/** In the order of listing; the market's places and then its orders follow it. */
export type MarketLine = readonly [kind: 'market', market: MarketFields];

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
  /** Index in the close queue, −1 when not in it. */
  readonly closeIndex: number;
}

/** In the order in which they are settled. */
export type PlaceLine = readonly [
  kind: 'place',
  account: number,
  yes: number,
  no: number,
  yesCostUnits: number,
  noCostUnits: number,
  yesReserved: number,
  noReserved: number,
  settled: boolean,
];

/** Each side of the book best first, and within a level first in, first out. `place` counts its market's places. */
export type OrderLine = readonly [
  kind: 'order',
  id: string,
  place: number,
  outcome: Outcome,
  side: Side,
  priceUnits: number,
  remaining: number,
];

/** In the order in which the runs began. */
export type RunLine = readonly [kind: 'run', marketId: string];

export type SignalLine = readonly [kind: 'signal', key: string, seq: number];

/** Oldest first. */
export type IdempotencyLine = readonly [
  kind: 'idempotency',
  scope: string,
  fingerprint: string,
  at: number,
  seq: number,
];

/** The last line: how many came before it. */
export type EndLine = readonly [kind: 'end', lines: number];
