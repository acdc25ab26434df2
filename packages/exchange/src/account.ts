import type { Permission } from './commands.ts';

/**
 * An account: a primary, or a sub-account of one. All amounts are units. `cashUnits` includes `reservedUnits`, the
 * money that its resting buys promise; free cash is the difference and never below 0.
 */
export class Account {
  approved = false;
  cashUnits: number;
  reservedUnits = 0;
  /** Resting orders, in all markets. */
  openOrders = 0;
  liveKeys = 0;
  subAccounts = 0;
  /** The primary of its fleet (itself for a primary): orders of one owner never trade with each other. */
  readonly owner: Account;

  constructor(
    readonly id: string,
    readonly displayName: string,
    readonly createdAt: number,
    readonly startingBalanceUnits: number,
    readonly primary: Account | null,
  ) {
    this.cashUnits = startingBalanceUnits;
    this.owner = primary ?? this;
  }
}

/** An API key; a revoked one stays known, so that revoking it again changes nothing. */
export class ApiKey {
  revoked = false;
  constructor(
    readonly id: string,
    readonly hash: string,
    readonly account: Account,
    readonly permissions: readonly Permission[],
    /** The permissions as bits, trade's view included. */
    readonly rights: number,
  ) {}
}
