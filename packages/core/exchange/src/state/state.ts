import { DEFAULT_SETTINGS } from '../commands.ts';
import type { Settings, Actor } from '../commands.ts';
import { ACCOUNT_CLOSED, FORBIDDEN, NOT_AUTHENTICATED, PRIMARY_REQUIRED } from '../decision.ts';
import type { Rejection } from '../decision.ts';
import { MASTER, TRADE } from '../permissions.ts';
import { RevokedKeys } from './account.ts';
import type { Account, ApiKey } from './account.ts';
import type { Order } from './book.ts';
import { ClientOrderIds } from './client-order-ids.ts';
import { IdempotencyWindow } from './idempotency.ts';
import type { FleetName } from './idempotency.ts';
import type { Market } from './market.ts';
import { TimerQueue } from './timer-queue.ts';

/**
 * All that a decision can depend on: `decide` reads it, only `evolve` writes it. Its size is bounded: live orders, live
 * markets (an ended one leaves a stub), accounts, keys, a window of Idempotency-Keys.
 */
export class State {
  seq = 0;
  /** The time of the last event; event times never decrease. */
  lastAt = 0;
  epoch = 0;
  /** The rules version of the epoch, from WriterEpochStarted; 1 before the first epoch. */
  rulesVersion = 1;
  settings: Settings = DEFAULT_SETTINGS;
  grantedUnits = 0;
  readonly accounts = new Map<string, Account>();
  readonly keys = new Map<string, ApiKey>();
  readonly revokedKeys = new RevokedKeys();
  readonly keysByHash = new Map<string, ApiKey>();
  readonly markets = new Map<string, Market>();
  /** The market of the last event that named one. A cache: most following events are about the same market. */
  lastMarket: Market | null = null;
  readonly orders = new Map<string, Order>();
  /** The sequence of each signal's event, by source and external id. */
  readonly signals = new Map<string, number>();
  readonly idempotency = new IdempotencyWindow();
  readonly clientOrderIds = new ClientOrderIds();
  readonly closing = new TimerQueue<Market>();
  readonly expiring = new TimerQueue<Order>();
  readonly switches = new TimerQueue<Account>();
  /** Markets whose run has not ended, in the order in which the runs began. */
  readonly runs = new Map<string, Market>();
  /** Closed accounts whose fleet still has live keys or open orders, in the order of closing. */
  readonly closings = new Map<string, Account>();
  /** The sequence of the last DisplayNameForgotten; 0 before the first. */
  forgottenSeq = 0;
  /** The order whose OrderPlaced was applied and whose fills are not all applied yet. */
  incoming: Order | null = null;
  /** The shares of it that coming OrderFilled events fill; after the last, the rest enters the book. */
  incomingFill = 0;
}

/** The state before the first event. */
export function createState(): State {
  return new State();
}

/** A decision's time: the clock's reading, but never before the last event's time. */
export function decisionTime(state: State, clock: number): number {
  return clock > state.lastAt ? clock : state.lastAt;
}

/** The account that an event names. Throws for an unknown account, since such an event belongs to another journal. */
export function accountOf(state: State, accountId: string): Account {
  const account = state.accounts.get(accountId);
  if (account === undefined) throw new Error(`an event of account ${accountId}, which was never opened`);
  return account;
}

/** The fleet that a caller's Idempotency-Keys count for: a primary with its sub-accounts, or an operator. */
export function fleetOf(state: State, caller: string): FleetName {
  const owner = state.accounts.get(caller)?.owner;
  return owner === undefined ? { index: Infinity, name: caller } : { index: owner.number, name: owner.id };
}

export function findMarket(state: State, marketId: string): Market | null {
  const last = state.lastMarket;
  return last !== null && last.id === marketId ? last : (state.markets.get(marketId) ?? null);
}

/** The market that an event names; records the event as the market's last. */
export function touchMarket(state: State, marketId: string): Market {
  const market = findMarket(state, marketId);
  if (market === null) throw new Error(`an event of market ${marketId}, which was never listed`);
  state.lastMarket = market;
  market.lastSeq = state.seq;
  return market;
}

/** Ends a market's close once no order rests. */
export function endCloseRun(state: State, market: Market): void {
  if (market.run !== null && market.run.kind === 'close' && market.book.orders === 0) {
    market.run = null;
    state.runs.delete(market.id);
  }
}

/** Ends each closing, also of the primary, whose fleet has no live key and no open order left. */
export function endClosings(state: State, account: Account): void {
  for (const closed of account.primary === null ? [account] : [account, account.primary]) {
    if (state.closings.has(closed.id) && closed.fleet.every(isIdle)) state.closings.delete(closed.id);
  }
}

function isIdle({ liveKeys, openOrders }: Account): boolean {
  return liveKeys.length === 0 && openOrders === 0;
}

/** Refuses a key of a closed account that the closing has not revoked yet; null for all other actors. */
export function closedActor(state: State, by: Actor): Rejection | null {
  const key = liveKey(state, by);
  return key === null || !key.account.isClosed ? null : ACCOUNT_CLOSED;
}

/** The actor's key, if the key is live and belongs to the named account; else null. */
export function liveKey(state: State, by: Actor): ApiKey | null {
  if (by.kind !== 'key') return null;
  const key = state.keys.get(by.keyId);
  return key === undefined || key.revokedAt !== null || key.account.id !== by.accountId ? null : key;
}

/** The live key with this hash (SHA-256 hex of the raw key), and its owner; null when there is none. */
export function findKeyOwner(state: State, keyHash: string) {
  const key = state.keysByHash.get(keyHash);
  if (key === undefined) return null;
  return {
    accountId: key.account.id,
    awaitsApproval: awaitsApproval(state, key.account),
    hasMandate: key.mandate !== null,
    keyId: key.id,
    permissions: key.permissions,
    /** Null for the key of a primary account. */
    primaryAccountId: key.account.primary === null ? null : key.account.primary.id,
  };
}

/** The actor's key, or the refusal when it may not trade. */
export function tradingKey(state: State, by: Actor): ApiKey | Rejection {
  const key = liveKey(state, by);
  if (key === null) return NOT_AUTHENTICATED;
  return (key.rights & TRADE) === 0 ? FORBIDDEN : key;
}

/** The actor's key, or the refusal when it may not manage accounts and keys, as no sub-account's key may. */
export function masterKey(state: State, by: Actor): ApiKey | Rejection {
  const key = liveKey(state, by);
  if (key === null) return NOT_AUTHENTICATED;
  if (key.account.primary !== null) return PRIMARY_REQUIRED;
  return (key.rights & MASTER) === 0 ? FORBIDDEN : key;
}

/** As masterKey, for commands that grant rights. Refuses a key with a mandate, which could evade its limits. */
export function grantingKey(state: State, by: Actor): ApiKey | Rejection {
  const key = masterKey(state, by);
  return 'kind' in key || key.mandate === null ? key : FORBIDDEN;
}

/** Whether the account awaits the operator's approval: its own, or from rules version 2 on its primary's. */
export function awaitsApproval(state: State, account: Account): boolean {
  if (state.settings.complianceMode !== 'kyc' || account.approved) return false;
  return state.rulesVersion < 2 || !account.owner.approved;
}

/** Refuses actors that are not operators; null for an operator. */
export function operatorOnly(by: Actor): Rejection | null {
  return by.kind === 'operator' ? null : FORBIDDEN;
}
