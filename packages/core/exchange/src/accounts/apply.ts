import type { Command } from '../commands.ts';
import type { ApiKeyIssued, EventOf } from '../events.ts';
import { rightsOf } from '../permissions.ts';
import { Account, ApiKey } from '../state/account.ts';
import { accountOf, endClosings } from '../state/state.ts';
import type { State } from '../state/state.ts';

/** `command` names the operator that opened a primary account. */
export function accountOpened(
  state: State,
  event: EventOf<'AccountOpened'> | EventOf<'SubAccountOpened'>,
  command: Command | null,
): void {
  const primary = event.type === 'SubAccountOpened' ? accountOf(state, event.primaryAccountId) : null;
  const { accountId, at, startingBalanceUnits } = event;
  const account = new Account(state.accounts.size, accountId, at, startingBalanceUnits, primary);
  account.openedBy = command?.by.kind === 'operator' ? command.by.name : null;
  primary?.subAccounts.push(account);
  state.accounts.set(accountId, account);
  state.grantedUnits += startingBalanceUnits;
}

/** The operator lets the account trade where approval is needed. */
export function accountApproved(state: State, event: EventOf<'AccountApproved'>): void {
  accountOf(state, event.accountId).approved = true;
}

/** Closes an account. The later events of sub-accounts that are closed with their primary change nothing. */
export function accountClosed(state: State, event: EventOf<'AccountClosed'>, command: Command | null): void {
  const account = accountOf(state, event.accountId);
  if (account.isClosed) return;
  const commandId = command?.id ?? '';
  account.closure = { cancelledOrders: 0, commandId, forgottenSeq: null, revokedKeys: 0, seq: state.seq };
  state.closings.set(account.id, account);
  endClosings(state, account);
}

/** The state has no names, so it only marks a primary account whose names are to be deleted. */
export function displayNameForgotten(state: State, event: EventOf<'DisplayNameForgotten'>): void {
  const { closure, primary } = accountOf(state, event.accountId);
  if (closure !== null && primary === null) {
    closure.forgottenSeq = state.seq;
    state.forgottenSeq = state.seq;
  }
}

export function apiKeyIssued(state: State, event: ApiKeyIssued): void {
  const account = accountOf(state, event.accountId);
  const key = new ApiKey(event.keyId, event.keyHash, account, event.permissions, rightsOf(event.permissions));
  state.keys.set(key.id, key);
  state.keysByHash.set(key.hash, key);
  account.liveKeys.push(key);
}

/** Revokes the key. The state still holds it by its id until the window of revoked keys has passed. */
export function apiKeyRevoked(state: State, event: EventOf<'ApiKeyRevoked'>): void {
  const key = state.keys.get(event.keyId);
  if (key === undefined || key.revokedAt !== null) throw new Error(`the end of key ${event.keyId}, which is not live`);
  key.revokedAt = event.at;
  state.revokedKeys.add(key);
  const { account } = key;
  const { closures, liveKeys } = account;
  liveKeys.splice(liveKeys.indexOf(key), 1);
  state.keysByHash.delete(key.hash);
  for (const closure of closures) closure.revokedKeys += 1;
  endClosings(state, account);
}

export function mandateSet(state: State, event: EventOf<'MandateSet'>): void {
  const key = state.keys.get(event.keyId);
  if (key === undefined) throw new Error(`a mandate of key ${event.keyId}, which was never issued`);
  key.mandate = event.mandate;
}

/** Rearms the account's dead-man switch, or turns it off. */
export function deadManSwitchSet(state: State, event: EventOf<'DeadManSwitchSet'>): void {
  const account = accountOf(state, event.accountId);
  state.switches.remove(account);
  account.cancelsAt = event.cancelsAt;
  if (event.cancelsAt !== null) {
    account.armedSeq = state.seq;
    state.switches.put(account);
  }
}
