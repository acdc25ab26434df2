/** A display name on its way into the table of names: the journal has only the digest of salt and name. */
export interface NewName {
  readonly accountId: string;
  readonly name: string;
  /** 32 random bytes. */
  readonly salt: Buffer;
}

/**
 * Stores display names outside the journal, which cannot forget one. A name is stored before the event that opens its
 * account is appended, so that no account is ever shown without one. It is pending until that event is known to be in
 * the journal. Pending names are swept by the process itself (`UnsettledNames`), or after a crash by its successor
 * (`sweepNames`).
 */
export interface NameStore {
  /** Stores all names or none. They are durable once it resolves. */
  store(names: readonly NewName[]): Promise<void>;
  /** Ends the pending state of names whose accounts are in the journal. */
  settle(accountIds: readonly string[]): Promise<void>;
  /** Drops names whose accounts will never be in the journal. */
  drop(accountIds: readonly string[]): Promise<void>;
  /** Accounts whose names are pending. */
  pending(): Promise<readonly string[]>;
  /** The name of an account; null where there is none. */
  find(accountId: string): Promise<string | null>;
  close(): Promise<void>;
}
