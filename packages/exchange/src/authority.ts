import type { Account, ApiKey } from './account.ts';
import type { Actor } from './commands.ts';
import { FORBIDDEN, NOT_AUTHENTICATED, PRIMARY_REQUIRED } from './decision.ts';
import type { Rejection } from './decision.ts';
import { MASTER } from './permissions.ts';
import type { State } from './state.ts';

/** The actor's key if it is live and of the account that it names; null for everyone else. */
export function liveKey(state: State, by: Actor): ApiKey | null {
  if (by.kind !== 'key') {
    return null;
  }
  const key = state.keys.get(by.keyId);
  return key === undefined || key.revokedAt !== null || key.account.id !== by.accountId ? null : key;
}

/**
 * The actor's key, or the reason why it may not manage accounts and keys. For a sub-account the reason is that it must
 * use the primary's key, whatever its permissions.
 */
export function masterKey(state: State, by: Actor): ApiKey | Rejection {
  const key = liveKey(state, by);
  if (key === null) {
    return NOT_AUTHENTICATED;
  }
  if (key.account.primary !== null) {
    return PRIMARY_REQUIRED;
  }
  return (key.rights & MASTER) === 0 ? FORBIDDEN : key;
}

/**
 * Whether this account's orders are refused until the operator has approved it. From rules version 2 on the approval of
 * a primary holds for its sub-accounts, also for those that are opened later.
 */
export function awaitsApproval(state: State, account: Account): boolean {
  if (state.settings.complianceMode !== 'kyc' || account.approved) {
    return false;
  }
  return state.rulesVersion < 2 || !account.owner.approved;
}

/** Refuses actors that are not operators; null for an operator. */
export function operatorOnly(by: Actor): Rejection | null {
  return by.kind === 'operator' ? null : FORBIDDEN;
}
