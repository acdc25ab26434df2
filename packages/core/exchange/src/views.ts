import { matching } from './cancel-order.ts';
import type { OrderFilter } from './cancel-order.ts';
import type { Actor, Command } from './commands.ts';
import { keyNameOf } from './idempotency.ts';
import type { Market, Run, Settlement } from './market.ts';
import { signalKey } from './signals.ts';
import type { State } from './state.ts';
import type { OrderView, Outcome, Phase } from './vocabulary.ts';

/** A market as it is in the state; prices are units in YES terms, times are ms. */
export interface MarketView {
  readonly bestAskUnits: number | null;
  readonly bestBidUnits: number | null;
  readonly category: string;
  readonly citationUrl: string | null;
  readonly closesAt: number;
  readonly companyImpact: number;
  readonly companySlug: string;
  readonly createdAt: number;
  readonly description: string | null;
  readonly drivers: readonly string[];
  readonly id: string;
  readonly lastTradeUnits: number | null;
  /** Pairs; 0 once resolved or voided. */
  readonly openInterest: number;
  readonly phase: Phase;
  readonly priorUnits: number;
  readonly probabilityHalfUnits: number;
  /** Time of MarketResolved or MarketVoided. */
  readonly resolvedAt: number | null;
  /** Set from MarketResolved on; stays null for a void. */
  readonly resolvedOutcome: Outcome | null;
  readonly run: Run | null;
  readonly sector: string;
  /** Sequence of the market's last event. */
  readonly seq: number;
  /** Set from MarketSettled on. */
  readonly settlement: Settlement | null;
  readonly settlementSource: string;
  readonly tickUnits: number;
  readonly ticker: string;
  readonly title: string;
  readonly volume: number;
}

/** Null for a market that was never listed. */
export function marketView(state: State, marketId: string): MarketView | null {
  const market = state.markets.get(marketId);
  if (market === undefined) return null;
  return {
    bestAskUnits: market.book.bestAskUnits,
    bestBidUnits: market.book.bestBidUnits,
    category: market.category,
    citationUrl: market.citationUrl,
    closesAt: market.closesAt,
    companyImpact: market.companyImpact,
    companySlug: market.companySlug,
    createdAt: market.createdAt,
    description: market.description,
    drivers: market.drivers,
    id: market.id,
    lastTradeUnits: market.lastTradeUnits,
    openInterest: market.pairs,
    phase: market.phase,
    priorUnits: market.priorUnits,
    probabilityHalfUnits: market.probabilityHalfUnits(),
    resolvedAt: market.resolvedAt,
    resolvedOutcome: market.resolvedOutcome,
    run: market.run,
    sector: market.sector,
    seq: market.lastSeq,
    settlement: market.settlement,
    settlementSource: market.settlementSource,
    tickUnits: market.tickUnits,
    ticker: market.ticker,
    title: market.title,
    volume: market.volume,
  };
}

/** An account's money and standing; `cashUnits` includes `reservedUnits`. */
export interface AccountView {
  readonly accountId: string;
  readonly approved: boolean;
  readonly cashUnits: number;
  readonly createdAt: number;
  readonly primaryAccountId: string | null;
  readonly reservedUnits: number;
  readonly startingBalanceUnits: number;
}

/** Null for an account that was never opened. */
export function accountView(state: State, accountId: string): AccountView | null {
  const account = state.accounts.get(accountId);
  if (account === undefined) return null;
  return {
    accountId: account.id,
    approved: account.approved,
    cashUnits: account.cashUnits,
    createdAt: account.createdAt,
    primaryAccountId: account.primary === null ? null : account.primary.id,
    reservedUnits: account.reservedUnits,
    startingBalanceUnits: account.startingBalanceUnits,
  };
}

/**
 * Whether this operator opened the account, or the primary account of a sub-account. Null for an account that was never
 * opened.
 */
export function isOpenedBy(state: State, accountId: string, operator: string): boolean | null {
  const account = state.accounts.get(accountId);
  return account === undefined ? null : account.owner.openedBy === operator;
}

/** The account of a key that the state still has; null for other keys. */
export function accountOfKey(state: State, keyId: string): string | null {
  return state.keys.get(keyId)?.account.id ?? null;
}

/** Whether a single command, outside a batch, has used this Idempotency-Key and it is still remembered. */
export function isUsedBySingle(state: State, by: Actor, key: string): boolean {
  return state.idempotency.find(keyNameOf(by, key, undefined)) !== null;
}

/** Ids of the markets whose close, resolve or void has not ended, oldest run first. */
export function pendingRuns(state: State): readonly string[] {
  return [...state.runs.keys()];
}

/** Ids of the primary accounts whose closing has not ended, oldest first. */
export function pendingClosings(state: State): readonly string[] {
  return [...state.closings.keys()];
}

/** A closed primary account. */
export interface ClosureView {
  readonly cancelledOrders: number;
  /** The command that closed it. */
  readonly commandId: string;
  /** Whether keys or orders of the fleet are still to be ended. */
  readonly isPending: boolean;
  readonly revokedKeys: number;
}

/** The closure of a primary account; null for one that is open, for a sub-account and for an unknown account. */
export function closureOf(state: State, accountId: string): ClosureView | null {
  const closure = state.accounts.get(accountId)?.closure ?? null;
  if (closure === null) return null;
  const { cancelledOrders, commandId, revokedKeys } = closure;
  return { cancelledOrders, commandId, isPending: state.closings.has(accountId), revokedKeys };
}

/** Ids of a primary account and of its sub-accounts, in the order of opening; empty for an unknown account. */
export function fleetIds(state: State, primaryAccountId: string): readonly string[] {
  const primary = state.accounts.get(primaryAccountId);
  return primary === undefined ? [] : [primary.id, ...primary.subAccounts.map(({ id }) => id)];
}

/** Ids of all accounts whose display names were forgotten: primaries, each with its sub-accounts. */
export function forgottenAccounts(state: State): readonly string[] {
  const forgotten: string[] = [];
  for (const account of state.accounts.values()) {
    const { closure } = account.owner;
    if (closure !== null && closure.forgottenSeq !== null) {
      forgotten.push(account.id);
    }
  }
  return forgotten;
}

/** A market's unfinished run; null when there is none. */
export function runOf(state: State, marketId: string): Run | null {
  return state.markets.get(marketId)?.run ?? null;
}

/**
 * Ids of active markets whose closing time had already passed when it was set or when they were activated. They take no
 * orders, and no timer closes them. Rules version 1 permitted such a change of closesAt.
 */
export function leftOpen(state: State): readonly string[] {
  const isLeft = (market: Market): boolean =>
    market.phase === 'active' && market.timerIndex < 0 && market.isPastClose(state.lastAt);
  return [...state.markets.values()].filter(isLeft).map(({ id }) => id);
}

/** The sequence of the signal with this source and external id; null when it was not recorded. */
export function signalSeq(state: State, source: string, externalId: string): number | null {
  return state.signals.get(signalKey(source, externalId)) ?? null;
}

/** The fingerprint that is remembered with this command's Idempotency-Key; null where none is. */
export function rememberedFingerprint(state: State, { by, idempotency }: Command): string | null {
  if (idempotency === null) return null;
  return state.idempotency.find(keyNameOf(by, idempotency.key, idempotency.index))?.fingerprint ?? null;
}

/** A resting order, as the answer to a change that changed nothing; null where no such order rests. */
export function openOrderView(state: State, orderId: string): OrderView | null {
  const order = state.orders.get(orderId);
  if (order === undefined) return null;
  const { createdAt, outcome, position, priceUnits, quantity, remaining, side } = order;
  return {
    accountId: position.account.id,
    createdAt,
    filledQty: quantity - remaining,
    marketId: position.marketId,
    orderId: order.id,
    // Nothing else rests.
    orderType: 'limit',
    outcome,
    priceUnits,
    quantity,
    reservedUnits: side === 'buy' ? priceUnits * remaining : 0,
    side,
    status: remaining === quantity ? 'open' : 'partial',
    timeInForce: 'GTC',
  };
}

/** An open order that a cancel of many matches. */
export interface MatchingOrder {
  readonly accountId: string;
  readonly orderId: string;
}

/**
 * The open orders of these accounts that a cancel of many matches, oldest acceptance first; in the end `cancelOrders`
 * cancels them. Accounts that do not exist have none.
 */
export function matchingOrders(
  state: State,
  accountIds: readonly string[],
  filter: OrderFilter,
): readonly MatchingOrder[] {
  return accountIds
    .flatMap((accountId) => {
      const account = state.accounts.get(accountId);
      return account === undefined ? [] : matching(account, filter);
    })
    .sort((a, b) => a.acceptedSeq - b.acceptedSeq)
    .map((order) => ({ accountId: order.position.account.id, orderId: order.id }));
}

/** The ids of a primary and its sub-accounts; of any other account its own alone. */
export function fleetAccountIds(state: State, accountId: string): readonly string[] {
  const subAccounts = state.accounts.get(accountId)?.subAccounts ?? [];
  return [accountId, ...subAccounts.map(({ id }) => id)];
}
