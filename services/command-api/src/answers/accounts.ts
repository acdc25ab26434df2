import { Account, issuedKeyBody, SubAccount } from '@paper/contracts/accounts';
import type { AccountBody, IssuedApiKeyBody, SubAccountBody } from '@paper/contracts/accounts';
import { accountView } from '@paper/exchange';
import type { Decision, State } from '@paper/exchange';
import type { ApiKeyIssued } from '@paper/exchange/events';
import { eventOf } from '../command-gateway.ts';

function keyView(key: ApiKeyIssued) {
  return {
    createdAt: key.at,
    keyId: key.keyId,
    last4: key.last4,
    name: key.name,
    permissions: key.permissions,
    revokedAt: null,
    mandate: null,
  };
}

/** The key that a decision issued. The raw key is shown with the first answer only. */
export function issuedKey(decision: Decision, rawKey: string): IssuedApiKeyBody {
  return issuedKeyBody(keyView(eventOf(decision, 'ApiKeyIssued')), decision.kind === 'replayed' ? null : rawKey);
}

/** A sub-account as it was opened: its cash is its starting balance. */
export function openedSubAccount(decision: Decision, displayName: string): SubAccountBody {
  const account = eventOf(decision, 'SubAccountOpened');
  return SubAccount.body({
    accountId: account.accountId,
    cashUnits: account.startingBalanceUnits,
    createdAt: account.at,
    displayName,
    keys: [keyView(eventOf(decision, 'ApiKeyIssued'))],
    permissions: account.permissions,
    positionsHalfUnits: 0,
    startingBalanceUnits: account.startingBalanceUnits,
  });
}

export function openedAccount(decision: Decision, displayName: string): AccountBody {
  const account = eventOf(decision, 'AccountOpened');
  return Account.body({
    createdAt: account.at,
    displayName,
    id: account.accountId,
    startingBalanceUnits: account.startingBalanceUnits,
  });
}

/** Shows an account of the state. The state holds no display names, so the result takes one. */
export function knownAccount(state: State, accountId: string): (displayName: string) => AccountBody {
  const view = accountView(state, accountId);
  if (view === null) throw new Error(`account ${accountId} was decided on and is not there`);
  const { createdAt, startingBalanceUnits } = view;
  return (displayName) => Account.body({ createdAt, displayName, id: accountId, startingBalanceUnits });
}
