import type { State } from '../state/state.ts';

/** An account's money and status; null for an unknown account. `cashUnits` includes `reservedUnits`. */
export function accountView(state: State, accountId: string) {
  const account = state.accounts.get(accountId);
  if (account === undefined) return null;
  const { approved, cashUnits, createdAt, primary, reservedUnits, startingBalanceUnits } = account;
  const primaryAccountId = primary === null ? null : primary.id;
  return { accountId, approved, cashUnits, createdAt, primaryAccountId, reservedUnits, startingBalanceUnits };
}

/** Whether this operator opened the account, or the primary of a sub-account; null for an unknown account. */
export function isOpenedBy(state: State, accountId: string, operator: string): boolean | null {
  const account = state.accounts.get(accountId);
  return account === undefined ? null : account.owner.openedBy === operator;
}

/** The digest of the account's last new display name; empty if it has its first name, and for an unknown account. */
export function renamedDigest(state: Pick<State, 'accounts'>, accountId: string): string {
  return state.accounts.get(accountId)?.renamed?.nameDigest ?? '';
}

/** The account of a key that is still in the state; null for other keys. */
export function accountOfKey(state: State, keyId: string): string | null {
  return state.keys.get(keyId)?.account.id ?? null;
}

/** Ids of the closed accounts whose closing has not ended, oldest first. */
export function pendingClosings(state: State): readonly string[] {
  return [...state.closings.keys()];
}

/** An account's own closure, or null. `isPending`: some keys or orders have not been ended yet. */
export function closureView(state: State, accountId: string) {
  const closure = state.accounts.get(accountId)?.closure ?? null;
  if (closure === null) return null;
  const { cancelledOrders, commandId, revokedKeys } = closure;
  return { cancelledOrders, commandId, isPending: state.closings.has(accountId), revokedKeys };
}

/** Ids of an account and of its sub-accounts, in the order of opening; empty for an unknown account. */
export function fleetIds(state: State, accountId: string): readonly string[] {
  return state.accounts.get(accountId)?.fleet.map(({ id }) => id) ?? [];
}

/** Ids of all accounts whose display names were forgotten: primaries, each with its sub-accounts. */
export function forgottenAccounts(state: State): readonly string[] {
  return [...state.accounts.keys()].filter((accountId) => isForgotten(state, accountId));
}

/** Whether the account's display name was forgotten, with the names of its keys. */
export function isForgotten(state: State, accountId: string): boolean {
  const closure = state.accounts.get(accountId)?.owner.closure ?? null;
  return closure !== null && closure.forgottenSeq !== null;
}
