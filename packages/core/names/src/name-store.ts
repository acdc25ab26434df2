/** Which name of an account: an account has the name of its opening, and one for each later change of it. */
export interface NameKey {
  readonly accountId: string;
  /** That of the AccountRenamed which gives the name; empty for the name of the account's opening. */
  readonly digest: string;
}

/** The key as a text: the account's id for the name of its opening, with the digest behind it for any other name. */
export function keyTextOf({ accountId, digest }: NameKey): string {
  return digest === '' ? accountId : `${accountId} ${digest}`;
}

/** A display name on its way into the table of names: the journal has only the digest of salt and name. */
export interface NewName extends NameKey {
  readonly name: string;
  /** 32 random bytes. */
  readonly salt: Buffer;
}

/**
 * Stores display names outside the journal, since nothing can be erased from the journal. A name is stored before the
 * event that gives it is appended, so that no account is ever shown without one. The name is pending until that event is
 * found to be in the journal. The process itself sweeps pending names (`UnsettledNames`); after a crash its successor
 * does (`sweepNames`). Former names stay until all names of their account are forgotten.
 */
export interface NameStore {
  /** Stores all names or none. The names are durable once the promise resolves. */
  store(names: readonly NewName[]): Promise<void>;
  /** Ends the pending state of names whose events are in the journal. */
  settle(names: readonly NameKey[]): Promise<void>;
  /** Drops pending names whose events will never be in the journal. */
  drop(names: readonly NameKey[]): Promise<void>;
  /**
   * Deletes all names of these accounts for ever, whatever their state. The deletion is durable once the promise resolves.
   */
  forget(accountIds: readonly string[]): Promise<void>;
  /** The pending names. */
  pending(): Promise<readonly NameKey[]>;
  /** A name; null where there is none. */
  find(name: NameKey): Promise<string | null>;
  close(): Promise<void>;
}
