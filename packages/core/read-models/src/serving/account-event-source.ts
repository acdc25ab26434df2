import type { ProgressSource } from './progress.ts';
import { accountEvents, liveKeys } from '../reads/account-events.ts';
import type { AccountEventFilter } from '../reads/account-events.ts';
import { accountStates } from '../reads/account-states.ts';
import type { AccountState } from '../reads/account-states.ts';
import type { ReadModels } from './read-models.ts';

/** A request for the events of accounts, by their streams. */
interface AccountEventRequest extends AccountEventFilter {
  /** The keys whose accounts' events are read. */
  readonly keyIds: readonly string[];
  /** Whether to read the accounts' states too, once there are no more events. */
  readonly states?: boolean;
}

export type AccountEventSource = ReturnType<typeof createAccountEventSource>;
export type AccountEventAnswer = Awaited<ReturnType<AccountEventSource['read']>>;

/** The source of the events for accounts' streams: one query serves all of them. */
export function createAccountEventSource(readModels: ReadModels, progress: Pick<ProgressSource, 'reached'>) {
  return {
    seq: () => readModels.read(({ seq }) => Promise.resolve(seq)),
    /** Reads the accounts' events after `request.after` and up to `upTo`. */
    read: (request: AccountEventRequest) =>
      readModels.read(async ({ db, seq }) => {
        const keys = await liveKeys(db, request.keyIds);
        const { upTo, ...page } = await accountEvents(db, request);
        // True if there are no more events for now.
        const complete = upTo === null;
        const accountIds = [...request.accountIds, ...[...page.fleets.values()].flat()];
        // The state of each account at `seq`, if it was requested and there are no more events; else empty.
        const states: ReadonlyMap<string, AccountState> =
          complete && request.states === true ? await accountStates(db, accountIds) : new Map();
        // `seq` is what the read models show; `upTo` is later if the request's `after` is.
        return { ...page, upTo: upTo ?? Math.max(seq, request.after), seq, complete, liveKeys: keys, states };
      }),
    /** Resolves with true as soon as the read models show this sequence, with false after `timeoutMs`. */
    reached: (seq: number, timeoutMs: number) =>
      // No client of a stream waits for a certain event, so the projector may go on gathering.
      progress.reached(seq, timeoutMs, 'patient'),
  };
}
