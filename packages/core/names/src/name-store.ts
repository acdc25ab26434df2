/** An account has the name that it was opened with, and one more for each change. */
export interface NameKey {
  readonly accountId: string;
  /** The digest in the AccountRenamed that gives the name; empty for that of the account's opening. */
  readonly digest: string;
}

/** The account's id for its first name; for any other the id followed by the digest. */
export const keyTextOf = ({ accountId, digest }: NameKey) => (digest === '' ? accountId : `${accountId} ${digest}`);

/** A name with the salt of its digest. The journal has only the digest of both. */
export interface NewName extends NameKey {
  readonly name: string;
  readonly salt: Buffer;
}

/**
 * Stores display names outside the journal, from which nothing can be erased. A name is stored before its event, so
 * that no account is shown without a name, and is pending until the event is in the journal. Pending names whose event
 * never came are dropped (`UnsettledNames`, after a crash `sweepNames`). Former names stay until the account is
 * forgotten.
 */
export interface NameStore {
  /** Stores all names or none; they are durable once the promise resolves. */
  store(names: readonly NewName[]): Promise<void>;
  /** Marks names whose events are in the journal: they are no longer pending. */
  settle(names: readonly NameKey[]): Promise<void>;
  /** Deletes those of the names that are pending. */
  drop(names: readonly NameKey[]): Promise<void>;
  /** Deletes all names of these accounts, whatever their state; it is durable once the promise resolves. */
  forget(accountIds: readonly string[]): Promise<void>;
  pending(): Promise<readonly NameKey[]>;
  /** Null for a name that is not stored. */
  find(name: NameKey): Promise<string | null>;
  close(): Promise<void>;
}
