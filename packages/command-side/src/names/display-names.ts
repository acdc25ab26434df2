import { randomBytes } from 'node:crypto';
import { ApiError, shownName } from '@paper/contracts';
import { NAME_SALT_BYTES, nameDigest } from '@paper/journal';
import { newId } from '../random.ts';
import type { CommandResult } from '../writer/command-request.ts';
import type { WriterObserver } from '../writer/observer.ts';
import { unavailable } from '../writer/refusals.ts';
import type { NameStore } from './name-store.ts';
import type { UnsettledNames } from './unsettled-names.ts';

/** The display name of an account that is about to be opened: it is kept, and the journal gets its digest. */
export interface KeptName {
  /** New. */
  readonly accountId: string;
  readonly name: string;
  readonly nameDigest: string;
}

export interface DisplayNamesOptions {
  readonly store: NameStore;
  /** The name of an account that was opened while names were in the journal; null for every other. */
  readonly publicName: (accountId: string) => Promise<string | null>;
  readonly observer: Pick<WriterObserver, 'noted'>;
  /** Takes names that stay pending for now. */
  readonly unsettled: Pick<UnsettledNames, 'add'>;
}

/** Gives accounts their display names, of which the exchange and its journal know the digest only. */
export class DisplayNames {
  constructor(private readonly options: DisplayNamesOptions) {}

  /**
   * Keeps names, each for an account that is to be opened with it: `open` goes on from there.
   *
   * @returns one for each, in their order.
   * @throws ApiError unavailable where they cannot be kept.
   */
  async keep(names: readonly string[]): Promise<readonly KeptName[]> {
    const made = names.map((name) => ({ accountId: newId(), name, salt: randomBytes(NAME_SALT_BYTES) }));
    try {
      if (made.length > 0) await this.options.store.keep(made);
    } catch (error) {
      // They may have been stored all the same.
      this.options.unsettled.add(made.map(({ accountId }) => accountId));
      throw this.#unavailable('display names could not be kept', error);
    }
    return made.map(({ accountId, name, salt }) => ({ accountId, name, nameDigest: nameDigest(salt, name) }));
  }

  /** Keeps one. */
  async keepOne(name: string): Promise<KeptName> {
    const [kept] = await this.keep([name]);
    if (kept === undefined) throw new Error('a name was kept, and is not there');
    return kept;
  }

  /** Opens the account of a name: the name stays with it, or goes where it is not opened. @throws what `opening` throws */
  async open<T>({ accountId }: KeptName, opening: () => Promise<CommandResult<T>>): Promise<CommandResult<T>> {
    try {
      const result = await opening();
      // A repeated request opens nothing: its account has the name that came with the first one.
      this.#later(result.replayed ? 'drop' : 'settle', accountId);
      return result;
    } catch (error) {
      // After any other error the account may be in the journal, or come into it yet.
      if (error instanceof ApiError && error.status < 500) this.#later('drop', accountId);
      else this.options.unsettled.add([accountId]);
      throw error;
    }
  }

  /** What an account is shown as. @throws ApiError unavailable where that cannot be read. */
  async of(accountId: string): Promise<string> {
    const { publicName, store } = this.options;
    try {
      return shownName(accountId, (await store.find(accountId)) ?? (await publicName(accountId)));
    } catch (error) {
      if (error instanceof ApiError) throw error;
      throw this.#unavailable('a display name could not be read', error);
    }
  }

  /** Nobody waits for it, and nothing is lost where it fails: the row stays pending until a sweep. */
  #later(what: 'drop' | 'settle', accountId: string): void {
    this.options.store[what]([accountId]).catch((error: unknown) => {
      this.options.observer.noted('a display name stays pending until the next sweep', { error: String(error) });
      this.options.unsettled.add([accountId]);
    });
  }

  #unavailable(what: string, error: unknown): ApiError {
    this.options.observer.noted(what, { error: String(error) });
    return unavailable(`${what}; try again`);
  }
}
