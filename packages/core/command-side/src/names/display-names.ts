import { PortError, RateLimited, Refused, shownName, Unavailable } from '@paper/contracts';
import { nameDigest } from '@paper/journal';
import { newId, newNameSalt } from '../random.ts';
import type { CommandResult } from '../writer/pending-command.ts';
import type { WriterObserver } from '../writer/observer.ts';
import type { ForgottenNames } from './forgotten-names.ts';
import type { NameKey, NameStore } from '@paper/names';
import type { UnsettledNames } from './unsettled-names.ts';

/** The stored display name of an account to be opened or renamed. The journal receives its `nameDigest`. */
export interface StoredName extends NameKey {
  readonly name: string;
  readonly nameDigest: string;
}

interface UnstoredName {
  readonly accountId: string;
  readonly isFirst: boolean;
  readonly name: string;
}

export interface DisplayNamesOptions {
  readonly store: NameStore;
  /** The name of an account that was opened while names were still in the journal; null for all other accounts. */
  readonly publicName: (accountId: string) => Promise<string | null>;
  readonly observer: Pick<WriterObserver, 'noted'>;
  readonly unsettled: Pick<UnsettledNames, 'add'>;
  readonly forgotten: Pick<ForgottenNames, 'add'>;
}

/** Gives accounts their display names. The exchange and its journal hold only the digests. */
export class DisplayNames {
  constructor(private readonly options: DisplayNamesOptions) {}

  /** Stores names, each for a new account; `open` then opens the account. @throws Unavailable */
  store(names: readonly string[]): Promise<readonly StoredName[]> {
    return this.#store(names.map((name) => ({ accountId: newId(), isFirst: true, name })));
  }

  /** Stores one name, for a new account with this or a new id. */
  async storeOne(name: string, accountId: string = newId()): Promise<StoredName> {
    return this.#storeOne({ accountId, isFirst: true, name });
  }

  /**
   * Stores another name of an account; `open` then renames it. The `former` name is settled first: only the newest
   * change of an account can be pending, and the state shows whether it was made.
   * @throws Unavailable
   */
  async storeNext(former: NameKey, name: string): Promise<StoredName> {
    try {
      await this.options.store.settle([former]);
    } catch (error) {
      throw this.#unavailable('a display name could not be stored', error);
    }
    return this.#storeOne({ accountId: former.accountId, isFirst: false, name });
  }

  async #storeOne(name: UnstoredName): Promise<StoredName> {
    const [stored] = await this.#store([name]);
    if (stored === undefined) throw new Error('a name was stored, and is not there');
    return stored;
  }

  async #store(names: readonly UnstoredName[]): Promise<StoredName[]> {
    const stored = names.map(({ accountId, isFirst, name }) => {
      const salt = newNameSalt();
      const digest = nameDigest(salt, name);
      return { accountId, digest: isFirst ? '' : digest, name, nameDigest: digest, salt };
    });
    try {
      if (stored.length > 0) await this.options.store.store(stored);
    } catch (error) {
      // The database may have stored the names before the request failed.
      this.options.unsettled.add(stored);
      throw this.#unavailable('display names could not be stored', error);
    }
    return stored;
  }

  /** Opens the account of a name, or renames it; drops the name where that fails. @throws the errors of `opening` */
  async open<T>(name: NameKey, opening: () => Promise<CommandResult<T>>): Promise<CommandResult<T>> {
    try {
      const result = await opening();
      // A repeated request changes nothing: the account has the name of the first request.
      this.#later(result.replayed ? 'drop' : 'settle', name);
      return result;
    } catch (error) {
      // After any other error the event may already be in the journal, or may still be appended.
      if (error instanceof Refused || error instanceof RateLimited) this.#later('drop', name);
      else this.options.unsettled.add([name]);
      throw error;
    }
  }

  /** Deletes names for ever. @throws Unavailable when they may still be stored; `ForgottenNames` keeps trying. */
  async forget(accountIds: readonly string[]): Promise<void> {
    try {
      await this.options.store.forget(accountIds);
    } catch (error) {
      this.options.forgotten.add(accountIds);
      throw this.#unavailable('display names could not be deleted yet', error);
    }
  }

  /** Reads a display name of an account. @throws Unavailable */
  async of(name: NameKey): Promise<string> {
    const { publicName, store } = this.options;
    const { accountId } = name;
    try {
      return shownName(accountId, (await store.find(name)) ?? (await publicName(accountId)));
    } catch (error) {
      if (error instanceof PortError) throw error;
      throw this.#unavailable('a display name could not be read', error);
    }
  }

  /** Updates the store in the background. If the update fails, the row stays pending until a sweep. */
  #later(what: 'drop' | 'settle', name: NameKey): void {
    this.options.store[what]([name]).catch((error: unknown) => {
      this.options.observer.noted('a display name stays pending until the next sweep', { error: String(error) });
      this.options.unsettled.add([name]);
    });
  }

  #unavailable(what: string, error: unknown): Unavailable {
    this.options.observer.noted(what, { error: String(error) });
    return new Unavailable(`${what}; try again`);
  }
}
