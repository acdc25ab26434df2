import { renamedDigest } from '@paper/exchange';
import type { State } from '@paper/exchange';
import type { WriterObserver } from '../writer/observer.ts';
import type { NameKey, NameStore } from '@paper/names';

/**
 * Settles or drops the names that former writers left pending. Call it before the epoch begins, and then the returned
 * function with the state from which the epoch began. From then on no former writer can append, so a pending name that
 * this state has not given is dropped. A sweep that fails is left to the next start.
 */
export async function sweepNames(
  store: NameStore,
  observer: Pick<WriterObserver, 'noted'>,
): Promise<(state: Pick<State, 'accounts'>) => Promise<void>> {
  const unlessFailed = async <T>(work: Promise<T>): Promise<T | null> => {
    try {
      return await work;
    } catch (error) {
      observer.noted('pending display names could not be swept; the next start will', { error: String(error) });
      return null;
    }
  };
  const pending = (await unlessFailed(store.pending())) ?? [];
  return async (state) => {
    if (pending.length === 0) return;
    const given = pending.filter((name) => isNameGiven(state, name));
    const orphans = pending.filter((name) => !isNameGiven(state, name));
    await unlessFailed(Promise.all([store.settle(given), store.drop(orphans)]));
    observer.noted('display names that a former writer left were swept', {
      dropped: orphans.length,
      settled: given.length,
    });
  };
}

/** Whether the state has the event that gives the account this pending name, which is always its last change. */
export function isNameGiven(state: Pick<State, 'accounts'>, { accountId, digest }: NameKey): boolean {
  return digest === '' ? state.accounts.has(accountId) : renamedDigest(state, accountId) === digest;
}
