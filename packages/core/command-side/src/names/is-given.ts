import { renamedDigest } from '@paper/exchange';
import type { State } from '@paper/exchange';
import type { NameKey } from '@paper/names';

/**
 * Whether the event that gives a pending name is in this state. A name that its account had before its last change is
 * never pending (`DisplayNames.storeNext`), so the last one is enough.
 */
export function isGiven(state: Pick<State, 'accounts'>, { accountId, digest }: NameKey): boolean {
  return digest === '' ? state.accounts.has(accountId) : renamedDigest(state, accountId) === digest;
}
