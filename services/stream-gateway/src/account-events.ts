import type { AccountEventView } from '@paper/contracts/accounts';
import type { AccountState } from '@paper/read-models';

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
    /** Whether the accounts' states are read too, where there are no more events. */
    readonly states?: boolean;
  }): Promise<AccountEventPage>;
  reached(seq: number, timeoutMs: number): Promise<boolean>;
}

/** All events of the given accounts, from the sequence asked for up to `upTo`. */
export interface AccountEventPage {
  readonly events: readonly AccountEventView[];
  readonly upTo: number;
  /** The sequence that the read models showed: before `upTo` where that was asked for as sent already. */
  readonly seq: number;
  /** True where there are no further events at this moment. */
  readonly complete: boolean;
  /** The given keys that are not revoked. */
  readonly liveKeys: ReadonlySet<string>;
  /** The accounts of each fleet that was asked for, by its primary: the primary and its sub-accounts. */
  readonly fleets: ReadonlyMap<string, readonly string[]>;
  /** The state of each account at `seq`, where it was asked for and there are no more events; else empty. */
  readonly states: ReadonlyMap<string, AccountState>;
}
