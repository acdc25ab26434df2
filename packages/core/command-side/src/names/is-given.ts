import { renamedDigest } from '@paper/exchange';
import type { State } from '@paper/exchange';
import type { NameKey } from '@paper/names';

/** Whether the state has the event that gives the account this pending name, which is always its last change. */
export function isGiven(state: Pick<State, 'accounts'>, { accountId, digest }: NameKey): boolean {
  return digest === '' ? state.accounts.has(accountId) : renamedDigest(state, accountId) === digest;
}
