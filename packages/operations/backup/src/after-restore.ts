import { fromFirstEvent, loadToEnd, newId, operatorLane, Writer } from '@paper/command-side';
import type { FoldedState, WriterObserver } from '@paper/command-side';
import { Refused, VERSION } from '@paper/contracts';
import type { State } from '@paper/exchange';
import type { Actor, Untimed } from '@paper/exchange/commands';
import type { Permission } from '@paper/exchange/vocabulary';
import type { Head, Journal } from '@paper/journal';
import { systemClock } from '@paper/timing';
import type { OnProgress } from './progress.ts';

export interface LiveKey {
  readonly keyId: string;
  readonly accountId: string;
  readonly permissions: readonly Permission[];
}

interface Ending {
  readonly erasures: readonly string[];
  readonly revokesKeys: boolean;
  readonly onProgress: OnProgress;
}

const OPERATOR = 'restore';
const AT_ONCE = 100;

/**
 * Closes the accounts whose names were deleted after the backup, deletes the names again, and revokes keys: by
 * commands, so that the journal can be audited. Appends nothing if there is nothing to do. Returns the keys that were
 * live at the backup, and all accounts, open or closed.
 */
export async function endKeysAndNames(journal: Journal, { erasures, onProgress, revokesKeys }: Ending) {
  const { seq: end } = await journal.head();
  const folded = await loadToEnd(journal, await fromFirstEvent(), (seq) => onProgress('folding', seq, end));
  const { state } = folded;
  const erased = erasures.filter((id) => isRemembered(state, id));
  const keys = liveKeys(state);
  const commands: Untimed[][] = [
    erased.map((accountId) => ({ ...base(), accountId, type: 'CloseAccount' })),
    erased.map((accountId) => ({ ...base(), accountId, type: 'ForgetDisplayNames' })),
    (revokesKeys ? keys : []).map(({ keyId }) => ({ ...base(), keyId, type: 'RevokeApiKey' })),
  ];
  const isNothing = commands.every((some) => some.length === 0);
  const head = isNothing ? folded.head : await decideAll(journal, folded, commands, onProgress);
  return { head, erased, keys, accounts: state.accounts };
}

/** A primary account of this journal whose names were not forgotten before. */
function isRemembered(state: State, accountId: string): boolean {
  const account = state.accounts.get(accountId);
  return account !== undefined && account.primary === null && (account.closure?.forgottenSeq ?? null) === null;
}

function liveKeys(state: State): readonly LiveKey[] {
  return [...state.accounts.values()].flatMap((account) =>
    account.liveKeys.map(({ id, permissions }) => ({ keyId: id, accountId: account.id, permissions })),
  );
}

function base() {
  const id = newId();
  const by: Actor = { kind: 'operator', name: OPERATOR };
  return { by, causationId: id, correlationId: id, id, idempotency: null };
}

function decideAll(
  journal: Journal,
  folded: FoldedState,
  groups: readonly (readonly Untimed[])[],
  onProgress: OnProgress,
): Promise<Head> {
  return new Promise((resolve, reject) => {
    const writer = new Writer({
      build: VERSION,
      clock: systemClock,
      journal,
      loadFrom: () => Promise.resolve(folded),
      observer: observedBy(reject),
      onFenced: reject,
      settings: folded.state.settings,
    });
    const decideEach = async (): Promise<Head> => {
      await writer.start();
      for (const commands of groups) {
        for (let next = 0; next < commands.length; next += AT_ONCE) {
          await Promise.all(commands.slice(next, next + AT_ONCE).map((command) => decideOne(writer, command)));
          onProgress('closing accounts and revoking keys', next, commands.length);
        }
      }
      await writer.stop(0);
      return writer.durable;
    };
    decideEach().then(resolve, reject);
  });
}

async function decideOne(writer: Writer, command: Untimed): Promise<void> {
  try {
    await writer.submit(operatorLane(OPERATOR), command, () => null);
  } catch (error) {
    // The closing of its account has already revoked such a key.
    if (!(error instanceof Refused)) throw error;
  }
}

/** A restore has no log, so it ends on a problem that needs an operator. */
function observedBy(fail: (error: Error) => void): WriterObserver {
  const ignore = (): void => undefined;
  return {
    alarm: (message, error) => fail(new Error(message, { cause: error })),
    appended: ignore,
    decided: ignore,
    noted: ignore,
    queueDepth: ignore,
    resent: (_attempt, error) => fail(error instanceof Error ? error : new Error(String(error))),
  };
}
