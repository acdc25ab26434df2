import type { AccountEventView } from '@paper/contracts/accounts';

/** Reads accounts' events: `AccountEventSource` of the read models. */
export interface AccountEvents {
  seq(): Promise<number>;
  read(request: {
    readonly accountIds: readonly string[];
    /** Primary accounts, whose events are read together with those of all their sub-accounts. */
    readonly fleetIds: readonly string[];
    readonly keyIds: readonly string[];
    readonly after: number;
    readonly limit: number;
  }): Promise<AccountEventPage>;
  reached(seq: number, timeoutMs: number): Promise<boolean>;
}

/** All events of the given accounts, from the sequence asked for up to `upTo`. */
export interface AccountEventPage {
  readonly events: readonly AccountEventView[];
  readonly upTo: number;
  /** True where there are no further events at this moment. */
  readonly complete: boolean;
  /** The given keys that are not revoked. */
  readonly liveKeys: ReadonlySet<string>;
  /** The accounts of each fleet that was asked for, by its primary: the primary and its sub-accounts. */
  readonly fleets: ReadonlyMap<string, readonly string[]>;
}
