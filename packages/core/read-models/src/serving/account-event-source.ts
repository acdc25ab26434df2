import type { ProgressSource } from './progress.ts';
import { accountEvents, liveKeys } from '../reads/account-events.ts';
import type { AccountEventFilter, AccountEventPage } from '../reads/account-events.ts';
import { accountStates } from '../reads/account-states.ts';
import type { AccountState } from '../reads/account-states.ts';
import type { ReadModels } from './read-models.ts';

/** A request for events by the accounts' streams. */
export interface AccountEventRequest extends AccountEventFilter {
  /** The keys whose accounts' events are read. */
  readonly keyIds: readonly string[];
  /** Whether to read the accounts' states too, once there are no more events. */
  readonly states?: boolean;
}

/** The accounts' events after `after` and up to `upTo`. */
export interface AccountEventAnswer extends AccountEventPage {
  readonly upTo: number;
  /** The sequence that the read models showed. It is before `upTo` if `after` is beyond it. */
  readonly seq: number;
  /** True if there are no more events for now. */
  readonly complete: boolean;
  /** The keys that are not revoked. */
  readonly liveKeys: ReadonlySet<string>;
  /** The state of each account at `seq`, if it was requested and there are no more events; else empty. */
  readonly states: ReadonlyMap<string, AccountState>;
}

/** The source of the events for accounts' streams: one query serves all of them. */
export interface AccountEventSource {
  seq(): Promise<number>;
  read(request: AccountEventRequest): Promise<AccountEventAnswer>;
  /** Resolves with true as soon as the read models show this sequence, with false after `timeoutMs`. */
  reached(seq: number, timeoutMs: number): Promise<boolean>;
}

export function createAccountEventSource(
  readModels: ReadModels,
  progress: Pick<ProgressSource, 'reached'>,
): AccountEventSource {
  return {
    seq: () => readModels.read(({ seq }) => Promise.resolve(seq)),
    read: (request) =>
      readModels.read(async ({ db, seq }) => {
        const keys = await liveKeys(db, request.keyIds);
        const { events, upTo, fleets } = await accountEvents(db, request);
        const complete = upTo === null;
        const accountIds = [...request.accountIds, ...[...fleets.values()].flat()];
        const states = complete && request.states === true ? await accountStates(db, accountIds) : new Map();
        return { events, upTo: upTo ?? Math.max(seq, request.after), seq, complete, liveKeys: keys, fleets, states };
      }),
    // No client of a stream waits for a certain event, so the projector may go on gathering.
    reached: (seq, timeoutMs) => progress.reached(seq, timeoutMs, 'patient'),
  };
}
