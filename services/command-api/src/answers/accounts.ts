import { FORGOTTEN_KEY_NAME } from '@paper/contracts';
import { Account, issuedKeyBody, SubAccount } from '@paper/contracts/accounts';
import type { AccountBody, IssuedApiKeyBody, SubAccountBody } from '@paper/contracts/accounts';
import { accountView, isForgotten, renamedDigest } from '@paper/exchange';
import type { Decision, State } from '@paper/exchange';
import type { ApiKeyIssued } from '@paper/exchange/events';
import type { CommandResult, StoredName } from '@paper/command-side';
import type { NameKey } from '@paper/names';
import { eventOf } from '../command-gateway.ts';
import type { CommandGateway } from '../command-gateway.ts';

function keyView(key: ApiKeyIssued, state: State) {
  return {
    createdAt: key.at,
    keyId: key.keyId,
    last4: key.last4,
    name: isForgotten(state, key.accountId) ? FORGOTTEN_KEY_NAME : key.name,
    permissions: key.permissions,
    revokedAt: null,
    lastUsedOn: null,
    mandate: null,
  };
}

/** The key that a decision issued. Only the first answer shows the raw key. */
export function issuedKey(decision: Decision, state: State, rawKey: string): IssuedApiKeyBody {
  const view = keyView(eventOf(decision, 'ApiKeyIssued'), state);
  return issuedKeyBody(view, decision.kind === 'replayed' ? null : rawKey);
}

/** The name that a request gave an account; for a replay that of the first request (`first`), or forgotten. */
export async function givenName(
  { names }: CommandGateway,
  { replayed }: CommandResult<unknown>,
  first: NameKey,
  { name }: Pick<StoredName, 'name'>,
): Promise<string> {
  return replayed ? names.of(first) : name;
}

/** The key under which the name of an account is stored. */
export function nameKeyOf(state: State, accountId: string): NameKey {
  return { accountId, digest: renamedDigest(state, accountId) };
}

/** The answer for a new sub-account, whose cash is its starting balance. */
export function openedSubAccount(decision: Decision, state: State): (displayName: string) => SubAccountBody {
  const account = eventOf(decision, 'SubAccountOpened');
  const key = keyView(eventOf(decision, 'ApiKeyIssued'), state);
  return (displayName) =>
    SubAccount.body({
      accountId: account.accountId,
      cashUnits: account.startingBalanceUnits,
      createdAt: account.at,
      displayName,
      isClosed: false,
      keys: [key],
      permissions: account.permissions,
      positionsHalfUnits: 0,
      startingBalanceUnits: account.startingBalanceUnits,
    });
}

/** The answer for an account of the state. The state holds no display names, so the returned function takes one. */
export function knownAccount(state: State, accountId: string): (displayName: string) => AccountBody {
  const view = accountView(state, accountId);
  if (view === null) throw new Error(`account ${accountId} was decided on and is not there`);
  const { createdAt, startingBalanceUnits } = view;
  return (displayName) => Account.body({ createdAt, displayName, id: accountId, startingBalanceUnits });
}
