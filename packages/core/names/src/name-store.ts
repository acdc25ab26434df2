/** An account has the name that it was opened with, and one more for each change. */
export interface NameKey {
  readonly accountId: string;
  /** The digest in the AccountRenamed that gives the name; empty for that of the account's opening. */
  readonly digest: string;
}

/** The account's id for its first name; for any other the id followed by the digest. */
export const keyTextOf = ({ accountId, digest }: NameKey) => (digest === '' ? accountId : `${accountId} ${digest}`);

/** The journal has only the digest of salt and name. */
export interface NewName extends NameKey {
  readonly name: string;
  readonly salt: Buffer;
}

/**
 * Stores display names outside the journal, from which nothing can be erased. A name is stored before the event that
 * gives it, so that no account is shown without a name, and is pending until that event is in the journal: the process
 * sweeps pending names (`UnsettledNames`), or after a crash its successor (`sweepNames`). Former names stay until all
 * names of their account are forgotten.
 */
export interface NameStore {
  /** Stores all names or none; they are durable once the promise resolves. */
  store(names: readonly NewName[]): Promise<void>;
  settle(names: readonly NameKey[]): Promise<void>;
  drop(names: readonly NameKey[]): Promise<void>;
  /** Deletes all names of these accounts, whatever their state; it is durable once the promise resolves. */
  forget(accountIds: readonly string[]): Promise<void>;
  pending(): Promise<readonly NameKey[]>;
  /** Null for a name that is not stored. */
  find(name: NameKey): Promise<string | null>;
  close(): Promise<void>;
}
