import type { AccountEventView } from '@paper/contracts';

/** Where accounts' events are read: `AccountEventSource` of the read models. */
export interface AccountEvents {
  seq(): Promise<number>;
  read(request: {
    readonly accountIds: readonly string[];
    readonly keyIds: readonly string[];
    readonly after: number;
    readonly limit: number;
  }): Promise<AccountEventPage>;
  reached(seq: number, timeoutMs: number): Promise<boolean>;
}

/** All of some accounts' events from where it was asked for up to `upTo`. */
export interface AccountEventPage {
  readonly events: readonly AccountEventView[];
  readonly upTo: number;
  /** There are no more at this moment. */
  readonly complete: boolean;
  /** Those of the keys in question that are not revoked. */
  readonly liveKeys: ReadonlySet<string>;
}
