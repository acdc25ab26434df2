import type { Outcome, Permission } from './vocabulary.ts';

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
  /** The account's revoked keys that are still in the state, oldest revocation first. */
  readonly revokedKeys: ApiKey[] = [];
  subAccounts = 0;
  /** The account's position in the market where it was last active: most orders follow one in the same market. */
  lastPosition: Position | null = null;
  /** The primary of its fleet (itself for a primary): orders of one owner never trade with each other. */
  readonly owner: Account;

  constructor(
    /** The index of the account in the order of opening, from 0. */
    readonly number: number,
    readonly id: string,
    readonly createdAt: number,
    readonly startingBalanceUnits: number,
    readonly primary: Account | null,
  ) {
    this.cashUnits = startingBalanceUnits;
    this.owner = primary ?? this;
  }
}

/** An API key. A revoked one stays known for a while: it counts against how many may be issued. */
export class ApiKey {
  /** The time of the key's revocation; null while the key is live. */
  revokedAt: number | null = null;
  /** The key of the same list that was revoked next. */
  revokedNext: ApiKey | null = null;
  constructor(
    readonly id: string,
    readonly hash: string,
    readonly account: Account,
    readonly permissions: readonly Permission[],
    /** The permissions as bits, trade's view included. */
    readonly rights: number,
  ) {}
}

/**
 * An account's position in one market: shares held of both outcomes, what they cost (units), and how many its resting
 * sells reserve. Opened by the account's first order there, dropped when the market has settled.
 */
export class Position {
  yes = 0;
  no = 0;
  yesCostUnits = 0;
  noCostUnits = 0;
  yesReserved = 0;
  noReserved = 0;
  /** True once one side of the position is settled, so that its holder is counted once. */
  settled = false;

  /** The account's owner, whose orders never trade with each other; stored here for the walk over the book. */
  readonly owner: Account;

  constructor(
    readonly account: Account,
    readonly marketId: string,
  ) {
    this.owner = account.owner;
  }

  /** Shares that can be sold. */
  free(outcome: Outcome): number {
    return outcome === 'yes' ? this.yes - this.yesReserved : this.no - this.noReserved;
  }

  /** Adds bought shares and their cost. */
  add(outcome: Outcome, quantity: number, costUnits: number): void {
    if (outcome === 'yes') {
      this.yes += quantity;
      this.yesCostUnits += costUnits;
    } else {
      this.no += quantity;
      this.noCostUnits += costUnits;
    }
  }

  /** Promises shares to a resting sell; a negative quantity takes the promise back. */
  reserve(outcome: Outcome, quantity: number): void {
    if (outcome === 'yes') {
      this.yesReserved += quantity;
    } else {
      this.noReserved += quantity;
    }
  }
}
