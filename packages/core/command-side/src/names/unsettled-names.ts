import type { State } from '@paper/exchange';
import type { Clock } from '@paper/timing';
import type { WriterObserver } from '../writer/observer.ts';
import { keyTextOf } from '@paper/names';
import type { NameKey, NameStore } from '@paper/names';
import { isNameGiven } from './sweep.ts';

/** The time between two sweeps while names wait. */
export const SWEEP_EVERY_MS = 5_000;

/** The most names that wait for a sweep of this process. Further names are left to the sweep at the next start. */
const NAMES_MAX = 10_000;

export interface UnsettledNamesOptions {
  readonly store: Pick<NameStore, 'drop' | 'settle'>;
  readonly clock: Pick<Clock, 'after'>;
  readonly observer: Pick<WriterObserver, 'noted'>;
  /** The exchange as decided, durable or not; null while there is none, or another process decides. */
  readonly state: () => Pick<State, 'accounts' | 'seq'> | null;
  readonly durableSeq: () => number;
}

/**
 * Pending names whose commands ended without showing whether the account was opened or renamed: the command was
 * answered as `Unavailable`, or the table could not be written. It holds only names that this process stored and that
 * no request waits for: their commands are in the exchange or will never be decided. A given name is settled once its
 * event is durable; the others are deleted. What fails is retried at the next sweep.
 */
export class UnsettledNames {
  /** By account and digest; `givenBy`: the exchange's sequence when the account was found to have the name, or null. */
  readonly #waiting = new Map<string, { readonly name: NameKey; readonly givenBy: number | null }>();
  #cancel: (() => void) | null = null;
  #stopped = false;

  constructor(private readonly options: UnsettledNamesOptions) {}

  add(names: readonly NameKey[]): void {
    for (const { accountId, digest } of names) {
      if (this.#waiting.size < NAMES_MAX) this.#wait({ accountId, digest }, null);
    }
    this.#arm();
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
  }

  #arm(): void {
    if (this.#stopped || this.#cancel !== null || this.#waiting.size === 0) return;
    this.#cancel = this.options.clock.after(SWEEP_EVERY_MS, () => {
      this.#cancel = null;
      void this.#sweep().finally(() => this.#arm());
    });
  }

  async #sweep(): Promise<void> {
    const { observer, store } = this.options;
    const { given, orphans } = this.#sorted();
    try {
      await Promise.all([store.settle(given), store.drop(orphans)]);
    } catch (error) {
      observer.noted('pending display names could not be swept; retrying', { error: String(error) });
      return;
    }
    for (const name of [...given, ...orphans]) this.#waiting.delete(keyTextOf(name));
    if (given.length + orphans.length === 0) return;
    observer.noted('pending display names were swept', { dropped: orphans.length, settled: given.length });
  }

  #sorted(): { readonly given: readonly NameKey[]; readonly orphans: readonly NameKey[] } {
    const state = this.options.state();
    const durableSeq = this.options.durableSeq();
    const given: NameKey[] = [];
    const orphans: NameKey[] = [];
    if (state === null) return { given, orphans };
    for (const { name, givenBy } of this.#waiting.values()) {
      if (!isNameGiven(state, name)) orphans.push(name);
      else if (givenBy === null) this.#wait(name, state.seq);
      else if (givenBy <= durableSeq) given.push(name);
    }
    return { given, orphans };
  }

  #wait(name: NameKey, givenBy: number | null): void {
    this.#waiting.set(keyTextOf(name), { givenBy, name });
  }
}
