/** A display name on its way into the table of names: the journal has only the digest of salt and name. */
export interface NewName {
  readonly accountId: string;
  readonly name: string;
  /** 32 random bytes. */
  readonly salt: Buffer;
}

/**
 * Stores display names outside the journal, since nothing can be erased from the journal. A name is stored before the
 * event that opens its account is appended, so that no account is ever shown without one. The name is pending until
 * that event is found to be in the journal. The process itself sweeps pending names (`UnsettledNames`); after a crash
 * its successor does (`sweepNames`).
 */
export interface NameStore {
  /** Stores all names or none. The names are durable once the promise resolves. */
  store(names: readonly NewName[]): Promise<void>;
  /** Ends the pending state of names whose accounts are in the journal. */
  settle(accountIds: readonly string[]): Promise<void>;
  /** Drops names whose accounts will never be in the journal. */
  drop(accountIds: readonly string[]): Promise<void>;
  /** Deletes names for ever, whatever their state. The deletion is durable once the promise resolves. */
  forget(accountIds: readonly string[]): Promise<void>;
  /** Accounts whose names are pending. */
  pending(): Promise<readonly string[]>;
  /** The name of an account; null where there is none. */
  find(accountId: string): Promise<string | null>;
  close(): Promise<void>;
}
