/**
 * The closed sets of words of the exchange, the tick sizes, and the payout of a share. Types, the journal's schemas,
 * the API's enums and the columns of read models follow from these lists; snapshots hold the index of an outcome or a
 * side. This module imports nothing, so that contracts can import it without the exchange.
 */

/** The outcome of a market that an order buys or sells. */
export const OUTCOMES = ['yes', 'no'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** The payout of a winning share, and the value of a complete pair: $1 in units of $0.0001. */
export const SHARE_UNITS = 10_000;

/**
 * The operator of the accounts that send the recorded orders of a backtest, which no limit of size or number binds. The
 * setting OPERATOR_TOKENS permits no colon in a name, so no operator of a service has this name.
 */
export const TAPE_OPERATOR = 'backtest:tape';

/** Converts a price from YES terms to terms of this outcome, or back: the prices of YES and NO add up to $1. */
export function inOwnTerms(outcome: Outcome, priceUnits: number): number {
  return outcome === 'yes' ? priceUnits : SHARE_UNITS - priceUnits;
}

/** The tick sizes that a market may have, in units of $0.0001. */
export const TICK_UNITS: readonly number[] = [1, 10, 100];

export const SIDES = ['buy', 'sell'] as const;
export type Side = (typeof SIDES)[number];

export const ORDER_TYPES = ['limit', 'market'] as const;
export type OrderType = (typeof ORDER_TYPES)[number];

export const TIMES_IN_FORCE = ['GTC', 'IOC', 'FOK'] as const;
export type TimeInForce = (typeof TIMES_IN_FORCE)[number];

export const ORDER_STATUSES = ['open', 'partial', 'filled', 'cancelled'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

export const CANCEL_REASONS = [
  'user',
  'ioc_remainder',
  'fok_unfillable',
  'self_trade',
  'no_liquidity',
  'fill_limit',
  'market_closed',
  'market_resolved',
  'post_only',
  'expired',
  'dead_man_switch',
  'account_closed',
] as const;
export type CancelReason = (typeof CANCEL_REASONS)[number];

/** transfer: a share changes its owner; mint: two buyers (YES and NO) create a pair; merge: two sellers end a pair. */
export const FILL_KINDS = ['transfer', 'mint', 'merge'] as const;
export type FillKind = (typeof FILL_KINDS)[number];

/** The permissions, in the order in which lists of permissions are written. */
export const PERMISSIONS = ['view', 'trade', 'master', 'reconcile'] as const;
export type Permission = (typeof PERMISSIONS)[number];

export const COMPLIANCE_MODES = ['paper', 'kyc'] as const;
export type ComplianceMode = (typeof COMPLIANCE_MODES)[number];

/**
 * scheduled → active ⇄ paused; active and paused → closed; scheduled, paused and closed → active. Any of them can be
 * resolved or voided: → settling → resolved | void. The last two are final.
 */
export const PHASES = ['scheduled', 'active', 'paused', 'closed', 'settling', 'resolved', 'void'] as const;
export type Phase = (typeof PHASES)[number];

/** The phases of a listing. A market listed as `closed` trades once it is activated with a later closesAt. */
export const LISTED_PHASES = ['active', 'scheduled', 'closed'] as const;

/** The limits of a key, in units; null: no such limit. */
export interface Mandate {
  readonly marketIds: readonly string[] | null;
  readonly maxOrderCostUnits: number | null;
  readonly maxReservedUnits: number | null;
  readonly maxShares: number | null;
  readonly reduceOnly: boolean | null;
  readonly spendPerDayUnits: number | null;
}
