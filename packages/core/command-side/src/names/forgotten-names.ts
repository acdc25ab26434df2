import type { Clock } from '@paper/timing';
import type { WriterObserver } from '../writer/observer.ts';
import type { NameStore } from '@paper/names';

const RETRY_MS = 10_000;

const AT_ONCE = 1_000;

export interface ForgottenNamesOptions {
  readonly store: Pick<NameStore, 'forget'>;
  readonly clock: Pick<Clock, 'after'>;
  readonly observer: Pick<WriterObserver, 'noted'>;
}

/**
 * Deletes names that the journal has marked as forgotten, and retries failed deletions. At the start it gets all of
 * them, since an earlier process may have ended before it deleted them.
 */
export class ForgottenNames {
  readonly #waiting = new Set<string>();
  #cancel: (() => void) | null = null;
  #stopped = false;

  constructor(private readonly options: ForgottenNamesOptions) {}

  /** Schedules another attempt to delete the names of these accounts. */
  add(accountIds: readonly string[]): void {
    for (const id of accountIds) this.#waiting.add(id);
    if (this.#stopped || this.#cancel !== null) return;
    this.#cancel = this.options.clock.after(RETRY_MS, () => {
      this.#cancel = null;
      void this.delete([]);
    });
  }

  /** Deletes the names of these accounts, and the waiting ones. Failed deletions are retried later. */
  async delete(accountIds: readonly string[]): Promise<void> {
    for (const id of accountIds) this.#waiting.add(id);
    const all = [...this.#waiting];
    for (let from = 0; from < all.length; from += AT_ONCE) {
      const some = all.slice(from, from + AT_ONCE);
      try {
        await this.options.store.forget(some);
      } catch (error) {
        this.options.observer.noted('forgotten display names could not be deleted; retrying', { error: String(error) });
        this.add([]);
        return;
      }
      for (const id of some) this.#waiting.delete(id);
    }
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
  }
}
