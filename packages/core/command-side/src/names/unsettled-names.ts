import type { State } from '@paper/exchange';
import type { Clock } from '@paper/timing';
import type { WriterObserver } from '../writer/observer.ts';
import type { NameStore } from '@paper/names';

/** Time between two sweeps while names wait for one. */
export const SWEEP_EVERY_MS = 5_000;

/** The most names that wait to be settled. The next start sweeps others. */
const NAMES_MAX = 10_000;

export interface UnsettledNamesOptions {
  readonly store: Pick<NameStore, 'drop' | 'settle'>;
  readonly clock: Pick<Clock, 'after'>;
  readonly observer: Pick<WriterObserver, 'noted'>;
  /** The exchange as decided, durable or not; null while there is none, or another process decides. */
  readonly state: () => Pick<State, 'accounts' | 'seq'> | null;
  /** The last durable sequence. */
  readonly durableSeq: () => number;
}

/**
 * Pending names whose commands ended without showing whether the account was opened: as `Unavailable`, or because
 * the table could not be written. It holds only names that this process stored, and only once no request waits for
 * their commands: from then on a command is either in the exchange or will never be decided.
 *
 * A name of an opened account is settled once the opening is durable; the others are deleted. What fails is retried at
 * the next sweep.
 */
export class UnsettledNames {
  /** Indexed by account: the exchange's sequence when the account was found to be open; null until then. */
  readonly #openedBy = new Map<string, number | null>();
  #cancel: (() => void) | null = null;
  #stopped = false;

  constructor(private readonly options: UnsettledNamesOptions) {}

  /** Notes names of accounts whose commands have ended. */
  add(accountIds: readonly string[]): void {
    for (const id of accountIds) if (this.#openedBy.size < NAMES_MAX) this.#openedBy.set(id, null);
    this.#arm();
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
  }

  #arm(): void {
    if (this.#stopped || this.#cancel !== null || this.#openedBy.size === 0) return;
    this.#cancel = this.options.clock.after(SWEEP_EVERY_MS, () => {
      this.#cancel = null;
      void this.#sweep().finally(() => this.#arm());
    });
  }

  async #sweep(): Promise<void> {
    const { observer, store } = this.options;
    const { opened, orphans } = this.#sorted();
    try {
      await Promise.all([store.settle(opened), store.drop(orphans)]);
    } catch (error) {
      observer.noted('pending display names could not be swept; retrying', { error: String(error) });
      return;
    }
    for (const id of [...opened, ...orphans]) this.#openedBy.delete(id);
    if (opened.length + orphans.length === 0) return;
    observer.noted('pending display names were swept', { dropped: orphans.length, settled: opened.length });
  }

  /** Settles or drops the waiting names whose outcome is now known. */
  #sorted(): { readonly opened: readonly string[]; readonly orphans: readonly string[] } {
    const state = this.options.state();
    const durableSeq = this.options.durableSeq();
    const opened: string[] = [];
    const orphans: string[] = [];
    if (state === null) return { opened, orphans };
    for (const [id, seq] of this.#openedBy) {
      if (!state.accounts.has(id)) orphans.push(id);
      else if (seq === null) this.#openedBy.set(id, state.seq);
      else if (seq <= durableSeq) opened.push(id);
    }
    return { opened, orphans };
  }
}
