import { renamedDigest } from '@paper/exchange';
import type { State } from '@paper/exchange';
import type { NameKey } from '@paper/names';

/**
 * Whether this state contains the event that gives the account this pending name. Only the account's last change
 * matters: an earlier name is never pending (`DisplayNames.storeNext`).
 */
export function isGiven(state: Pick<State, 'accounts'>, { accountId, digest }: NameKey): boolean {
  return digest === '' ? state.accounts.has(accountId) : renamedDigest(state, accountId) === digest;
}
