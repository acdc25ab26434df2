/**
 * Identifies a name of an account. An account has the name that it was opened with, and one name for each later change.
 */
export interface NameKey {
  readonly accountId: string;
  /** The digest in the AccountRenamed that gives the name; empty for the name that the account was opened with. */
  readonly digest: string;
}

/** The key as a text: the account's id for its first name; for any other name the id followed by the digest. */
export function keyTextOf({ accountId, digest }: NameKey): string {
  return digest === '' ? accountId : `${accountId} ${digest}`;
}

/** A display name that is about to be stored. The journal has only the digest of salt and name. */
export interface NewName extends NameKey {
  readonly name: string;
  /** 32 random bytes. */
  readonly salt: Buffer;
}

/**
 * Stores display names outside the journal, since nothing can be erased from the journal. A name is stored before the
 * event that gives it is appended, so that no account is ever shown without a name. The name is pending until that
 * event is found in the journal. The process itself sweeps pending names (`UnsettledNames`); after a crash its
 * successor does (`sweepNames`). Former names stay until all names of their account are forgotten.
 */
export interface NameStore {
  /** Stores all names or none. The names are durable once the promise resolves. */
  store(names: readonly NewName[]): Promise<void>;
  /** Ends the pending state of names whose events are in the journal. */
  settle(names: readonly NameKey[]): Promise<void>;
  /** Deletes pending names whose events will never be in the journal. */
  drop(names: readonly NameKey[]): Promise<void>;
  /**
   * Deletes all names of these accounts for ever, whatever their state. The deletion is durable once the promise resolves.
   */
  forget(accountIds: readonly string[]): Promise<void>;
  /** The pending names. */
  pending(): Promise<readonly NameKey[]>;
  /** Reads a name; null when it is not stored. */
  find(name: NameKey): Promise<string | null>;
  close(): Promise<void>;
}
