import type { Settings } from '../commands.ts';
import { TAPE_OPERATOR } from '../vocabulary.ts';
import type { Mandate, Outcome, Permission } from '../vocabulary.ts';
import type { Timed } from './timer-queue.ts';

/** An order in the list of its account's open orders, newest acceptance first. */
export interface ListedOrder {
  prevOfAccount: ListedOrder | null;
  nextOfAccount: ListedOrder | null;
}

/** A change of an account's display name. */
export interface NameChange {
  readonly at: number;
  readonly nameDigest: string;
}

/** The progress of a closing: of a primary with all its sub-accounts, or of one sub-account. */
export interface AccountClosure {
  /** The command that closed the account. */
  readonly commandId: string;
  /** The sequence of the account's AccountClosed. */
  readonly seq: number;
  /** The number of keys of these accounts that were revoked since. */
  revokedKeys: number;
  /** The number of orders of these accounts that the closing has cancelled since. */
  cancelledOrders: number;
  /** The sequence of a primary's DisplayNameForgotten; null while the fleet's names are stored. */
  forgottenSeq: number | null;
}

/**
 * An account: a primary, or a sub-account of one. All amounts are units. `cashUnits` includes `reservedUnits`, the
 * money reserved for its resting buys. Free cash is the difference, and is never negative.
 */
export class Account implements Timed {
  approved = false;
  /** The operator that opened a primary account; null for a sub-account. */
  openedBy: string | null = null;
  /** The last change of the display name; null: the account has the name that it was opened with. */
  renamed: NameChange | null = null;
  cashUnits: number;
  reservedUnits = 0;
  /** The number of resting orders in all markets. */
  openOrders = 0;
  /** The account's open order that was accepted last; Order.nextOfAccount leads to the order before it. */
  lastOrder: ListedOrder | null = null;
  /** The live keys, in the order in which they were issued. */
  readonly liveKeys: ApiKey[] = [];
  /** The account's own closure; null while it is open, and where only its primary was closed. */
  closure: AccountClosure | null = null;
  /** The time at which the account's dead-man switch cancels its open orders; null: it is off. */
  cancelsAt: number | null = null;
  /** Sequence of the event that armed the dead-man switch. */
  armedSeq = 0;
  heapIndex = -1;
  /** The account's revoked keys that are still in the state, oldest revocation first. */
  readonly revokedKeys: ApiKey[] = [];
  /** The sub-accounts of a primary, in the order of opening. */
  readonly subAccounts: Account[] = [];
  /**
   * The account's position in the market where it was last active. A cache: most orders of an account follow another
   * one in the same market.
   */
  lastPosition: Position | null = null;
  /**
   * The primary of the account's fleet (a primary is its own owner). Orders with the same owner never trade with each
   * other.
   */
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

  /** A primary account and then its sub-accounts in the order of opening; for a sub-account only itself. */
  get fleet(): readonly Account[] {
    return [this, ...this.subAccounts];
  }

  /** Whether the account is closed, alone or with its primary. */
  get isClosed(): boolean {
    return this.closure !== null || this.owner.closure !== null;
  }

  /** The closures that end this account's keys and orders: its own and its primary's. */
  get closures(): readonly AccountClosure[] {
    const own = this.closure === null ? [] : [this.closure];
    return this.primary === null || this.primary.closure === null ? own : [...own, this.primary.closure];
  }

  /** Whether the account plays a tape: then no limit binds the size or the number of its orders. */
  get playsTape(): boolean {
    return this.openedBy === TAPE_OPERATOR;
  }

  /** The time at which the dead-man switch is due. */
  get dueAt(): number {
    return this.cancelsAt ?? Infinity;
  }

  get rank(): number {
    return this.armedSeq;
  }

  /** Adds an open order, which was accepted after all others. */
  addOrder(order: ListedOrder): void {
    const before = this.lastOrder;
    order.nextOfAccount = before;
    if (before !== null) {
      before.prevOfAccount = order;
    }
    this.lastOrder = order;
    this.openOrders += 1;
  }

  /** Removes an order that is no longer open. */
  removeOrder(order: ListedOrder): void {
    const { prevOfAccount, nextOfAccount } = order;
    if (prevOfAccount === null) {
      this.lastOrder = nextOfAccount;
    } else {
      prevOfAccount.nextOfAccount = nextOfAccount;
    }
    if (nextOfAccount !== null) {
      nextOfAccount.prevOfAccount = prevOfAccount;
    }
    order.prevOfAccount = null;
    order.nextOfAccount = null;
    this.openOrders -= 1;
  }
}

/** An API key. A revoked key stays in the state for a while, since it counts towards a limit. */
export class ApiKey {
  /** The time of the key's revocation; null while the key is live. */
  revokedAt: number | null = null;
  /** The key that was revoked next in the same list. */
  revokedNext: ApiKey | null = null;
  /** The key's limits; null: none were set. */
  mandate: Mandate | null = null;
  /** The day that `spentUnits` is about, in days since 1970 UTC. */
  spentDay = 0;
  /** The costs of the key's buys on that day, with their reserves at placement. */
  spentUnits = 0;
  constructor(
    readonly id: string,
    readonly hash: string,
    readonly account: Account,
    readonly permissions: readonly Permission[],
    /** The permissions as bits; trade includes view. */
    readonly rights: number,
  ) {}

  /** The amount that the key has spent on the day of this time. */
  spentOn(at: number): number {
    return dayOf(at) === this.spentDay ? this.spentUnits : 0;
  }

  /** Adds the cost and the reserve of an order at this time. */
  spend(at: number, units: number): void {
    this.spentUnits = this.spentOn(at) + units;
    this.spentDay = dayOf(at);
  }
}

/** The day of a time, in days since 1970 UTC. */
function dayOf(at: number): number {
  return Math.floor(at / 86_400_000);
}

/**
 * An account's position in one market: the shares held of both outcomes, their cost (units), and the shares that
 * resting sells reserve. The account's first order in the market opens the position; settlement drops it.
 */
export class Position {
  yes = 0;
  no = 0;
  yesCostUnits = 0;
  noCostUnits = 0;
  yesReserved = 0;
  noReserved = 0;
  /** Shares that resting buys would add. */
  yesBuying = 0;
  noBuying = 0;
  /** True once one side of the position is settled, so that its holder is counted once. */
  settled = false;

  /** The account's owner; stored here for the walk over the book, since orders with the same owner never trade. */
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

  /** The shares held of an outcome, and those that resting buys of it would add. */
  heldOrBuying(outcome: Outcome): number {
    return outcome === 'yes' ? this.yes + this.yesBuying : this.no + this.noBuying;
  }

  /** Reserves shares for a resting sell; a negative quantity frees them. */
  reserve(outcome: Outcome, quantity: number): void {
    if (outcome === 'yes') {
      this.yesReserved += quantity;
    } else {
      this.noReserved += quantity;
    }
  }

  /** Adds the shares of a resting buy to the count; a negative quantity subtracts them. */
  countBuying(outcome: Outcome, quantity: number): void {
    if (outcome === 'yes') {
      this.yesBuying += quantity;
    } else {
      this.noBuying += quantity;
    }
  }
}

/** The most keys that one event removes, which bounds the cost of an event. Each event revokes at most one key. */
const FORGOTTEN_PER_EVENT = 64;

/** The revoked keys that are still in the state, in the order in which they were revoked: a linked queue. */
export class RevokedKeys {
  #oldest: ApiKey | null = null;
  #newest: ApiKey | null = null;

  /** Adds a key that has just been revoked. */
  add(key: ApiKey): void {
    if (this.#newest === null) {
      this.#oldest = key;
    } else {
      this.#newest.revokedNext = key;
    }
    this.#newest = key;
    key.account.revokedKeys.push(key);
  }

  /** Removes and returns the oldest key that was revoked before `sinceMs`; null when there is none. */
  #takeBefore(sinceMs: number): ApiKey | null {
    const key = this.#oldest;
    if (key === null || !wasRevokedBefore(key, sinceMs)) return null;
    this.#oldest = key.revokedNext;
    if (this.#oldest === null) {
      this.#newest = null;
    }
    key.account.revokedKeys.shift();
    return key;
  }

  /**
   * Removes the keys that were revoked before `sinceMs`, also from `keys`, which holds every key by its id. No decision
   * depends on such an old key: it counts as unknown either way, and the read model has its owner.
   */
  forgetBefore(sinceMs: number, keys: Map<string, ApiKey>): void {
    for (let forgotten = 0; forgotten < FORGOTTEN_PER_EVENT; forgotten += 1) {
      const key = this.#takeBefore(sinceMs);
      if (key === null) return;
      keys.delete(key.id);
    }
  }

  *oldestFirst(): Generator<ApiKey, void, undefined> {
    for (let key = this.#oldest; key !== null; key = key.revokedNext) {
      yield key;
    }
  }
}

/** The time since which a revoked key counts, for a decision or event at `atMs`. */
export function revokedSince(settings: Settings, atMs: number): number {
  return atMs - settings.revokedKeyWindowMs;
}

/** Whether the key was revoked so long ago that the exchange may have removed it. */
export function wasRevokedBefore(key: ApiKey, sinceMs: number): boolean {
  return key.revokedAt !== null && key.revokedAt < sinceMs;
}
