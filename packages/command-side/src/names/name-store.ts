/** A display name on its way into the table of names: the journal has only the digest of salt and name. */
export interface NewName {
  readonly accountId: string;
  readonly name: string;
  /** 32 random bytes. */
  readonly salt: Buffer;
}

/**
 * Where display names are, since the journal cannot forget one. A name is kept before the event that opens its account
 * is appended, so that no account is ever seen without; until it is known that the event is in the journal, the name is
 * pending. What stays pending is swept by the process itself while it lives (`UnsettledNames`), and what one that was
 * killed leaves by its successor (`sweepNames`).
 */
export interface NameStore {
  /** All or none. Durable when it resolves. */
  keep(names: readonly NewName[]): Promise<void>;
  /** Their accounts are in the journal: the names are pending no longer. */
  settle(accountIds: readonly string[]): Promise<void>;
  /** Their accounts will never be in the journal. */
  drop(accountIds: readonly string[]): Promise<void>;
  /** Accounts whose names are pending. */
  pending(): Promise<readonly string[]>;
  /** Null where there is no name of this account. */
  find(accountId: string): Promise<string | null>;
  close(): Promise<void>;
}
