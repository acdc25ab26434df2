import type { State } from '@paper/exchange';
import type { WriterObserver } from '../writer/observer.ts';
import type { NameStore } from '@paper/names';
import { isGiven } from './is-given.ts';

/**
 * Ends what former writers left pending. To be called before the epoch begins, and what it gives after that, with the
 * state that the epoch began from: since then no former writer can append, so an account that had a pending name before
 * and is not in that state will never be opened, and a change that is not will never be made. What this writer keeps
 * itself comes later and is not looked at.
 *
 * A sweep that fails is done by the next start.
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
    const given = pending.filter((name) => isGiven(state, name));
    const orphans = pending.filter((name) => !isGiven(state, name));
    await unlessFailed(Promise.all([store.settle(given), store.drop(orphans)]));
    observer.noted('display names that a former writer left were swept', {
      dropped: orphans.length,
      settled: given.length,
    });
  };
}
