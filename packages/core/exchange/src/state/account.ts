import type { Settings } from '../commands.ts';
import type { EventOf } from '../events.ts';
import { TAPE_OPERATOR } from '../vocabulary.ts';
import type { Mandate, Outcome, Permission } from '../vocabulary.ts';
import type { Timed } from './timer-queue.ts';

/** An order in the list of its account's open orders, newest acceptance first. */
export interface ListedOrder {
  prevOfAccount: ListedOrder | null;
  nextOfAccount: ListedOrder | null;
}

/** A change of an account's display name. */
export type NameChange = Pick<EventOf<'AccountRenamed'>, 'at' | 'nameDigest'>;

/** The progress of a closing: of a primary with all its sub-accounts, or of one sub-account. */
export interface AccountClosure {
  readonly commandId: string;
  readonly seq: number;
  revokedKeys: number;
  cancelledOrders: number;
  /** The sequence of a primary's DisplayNameForgotten; null while the fleet's names are stored. */
  forgottenSeq: number | null;
}

/**
 * A primary account, or a sub-account of one. Amounts are units; `cashUnits` includes `reservedUnits`, the money
 * reserved for resting buys. Their difference, free cash, is never negative.
 */
export class Account implements Timed {
  approved = false;
  /** The operator that opened a primary account; null for a sub-account. */
  openedBy: string | null = null;
  renamed: NameChange | null = null;
  cashUnits: number;
  reservedUnits = 0;
  openOrders = 0;
  /** The account's open order that was accepted last; Order.nextOfAccount leads to the order before it. */
  lastOrder: ListedOrder | null = null;
  readonly liveKeys: ApiKey[] = [];
  /** The account's own closure; null while the account is open, or if only its primary was closed. */
  closure: AccountClosure | null = null;
  cancelsAt: number | null = null;
  armedSeq = 0;
  heapIndex = -1;
  readonly revokedKeys: ApiKey[] = [];
  readonly subAccounts: Account[] = [];
  /** A cache: the position in the market where it was last active, since most orders are in the same one. */
  lastPosition: Position | null = null;
  /** The primary account of the fleet; for a primary itself. Orders with the same owner never trade with each other. */
  readonly owner: Account;
  /** The beginning of the scopes of all its Idempotency-Keys: one text, since a fold would make a copy for each key. */
  readonly keyScope: string;

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
    this.keyScope = `${id}\n`;
  }

  /** A primary account and then its sub-accounts in the order of opening; for a sub-account only itself. */
  get fleet(): readonly Account[] {
    return [this, ...this.subAccounts];
  }

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

  get dueAt(): number {
    return this.cancelsAt ?? Infinity;
  }

  get rank(): number {
    return this.armedSeq;
  }

  addOrder(order: ListedOrder): void {
    const before = this.lastOrder;
    order.nextOfAccount = before;
    if (before !== null) before.prevOfAccount = order;
    this.lastOrder = order;
    this.openOrders += 1;
  }

  removeOrder(order: ListedOrder): void {
    const { prevOfAccount, nextOfAccount } = order;
    if (prevOfAccount === null) this.lastOrder = nextOfAccount;
    else prevOfAccount.nextOfAccount = nextOfAccount;
    if (nextOfAccount !== null) nextOfAccount.prevOfAccount = prevOfAccount;
    order.prevOfAccount = null;
    order.nextOfAccount = null;
    this.openOrders -= 1;
  }
}

/** An API key. A revoked key stays in the state for a while, since it counts towards a limit. */
export class ApiKey {
  revokedAt: number | null = null;
  /** The key that was revoked next in the same list. */
  revokedNext: ApiKey | null = null;
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

  spentOn(at: number): number {
    return dayOf(at) === this.spentDay ? this.spentUnits : 0;
  }

  spend(at: number, units: number): void {
    this.spentUnits = this.spentOn(at) + units;
    this.spentDay = dayOf(at);
  }
}

function dayOf(at: number): number {
  return Math.floor(at / 86_400_000);
}

/** An account's position in one market, from its first order there to its settlement; the cost is in units. */
export class Position {
  yes = 0;
  no = 0;
  yesCostUnits = 0;
  noCostUnits = 0;
  yesReserved = 0;
  noReserved = 0;
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

  free(outcome: Outcome): number {
    return outcome === 'yes' ? this.yes - this.yesReserved : this.no - this.noReserved;
  }

  add(outcome: Outcome, quantity: number, costUnits: number): void {
    if (outcome === 'yes') {
      this.yes += quantity;
      this.yesCostUnits += costUnits;
    } else {
      this.no += quantity;
      this.noCostUnits += costUnits;
    }
  }

  heldOrBuying(outcome: Outcome): number {
    return outcome === 'yes' ? this.yes + this.yesBuying : this.no + this.noBuying;
  }

  /** Reserves shares for a resting sell; a negative quantity frees them. */
  reserve(outcome: Outcome, quantity: number): void {
    if (outcome === 'yes') this.yesReserved += quantity;
    else this.noReserved += quantity;
  }

  /** Adds the shares of a resting buy to the count; a negative quantity subtracts them. */
  countBuying(outcome: Outcome, quantity: number): void {
    if (outcome === 'yes') this.yesBuying += quantity;
    else this.noBuying += quantity;
  }
}

/** The most keys that one event removes, which bounds the cost of an event. Each event revokes at most one key. */
const FORGOTTEN_PER_EVENT = 64;

/** The revoked keys that are still in the state, in the order in which they were revoked: a linked queue. */
export class RevokedKeys {
  #oldest: ApiKey | null = null;
  #newest: ApiKey | null = null;

  add(key: ApiKey): void {
    if (this.#newest === null) this.#oldest = key;
    else this.#newest.revokedNext = key;
    this.#newest = key;
    key.account.revokedKeys.push(key);
  }

  /**
   * Removes the keys that were revoked before `sinceMs`, also from `keys` (by id). No decision depends on them: they
   * count as unknown either way, and the read model has their owners.
   */
  forgetBefore(sinceMs: number, keys: Map<string, ApiKey>): void {
    for (let forgotten = 0; forgotten < FORGOTTEN_PER_EVENT; forgotten += 1) {
      const key = this.#oldest;
      if (key === null || !wasRevokedBefore(key, sinceMs)) return;
      this.#oldest = key.revokedNext;
      if (this.#oldest === null) this.#newest = null;
      key.account.revokedKeys.shift();
      keys.delete(key.id);
    }
  }

  *oldestFirst(): Generator<ApiKey, void, undefined> {
    for (let key = this.#oldest; key !== null; key = key.revokedNext) yield key;
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
