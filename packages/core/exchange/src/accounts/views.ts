import type { State } from '../state/state.ts';

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

/** The ids of a primary and its sub-accounts; of any other account its own alone. */
export function fleetAccountIds(state: State, accountId: string): readonly string[] {
  const subAccounts = state.accounts.get(accountId)?.subAccounts ?? [];
  return [accountId, ...subAccounts.map(({ id }) => id)];
}
