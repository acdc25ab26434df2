import type { CommandOf } from '../commands.ts';
import { accept, reject } from '../decision.ts';
import type { Decision } from '../decision.ts';
import type { EventOf } from '../events.ts';
import { replayOf } from '../state/idempotency.ts';
import { accountOf, decisionTime, masterKey } from '../state/state.ts';
import type { State } from '../state/state.ts';
import { digestFault } from './manage.ts';

/** The least time between two changes of an account's display name, by event time: 7 days. */
const BETWEEN_RENAMES_MS = 7 * 24 * 60 * 60 * 1000;

/** Gives a primary account another display name, for its own master key. The exchange has only the digest of it. */
export function renameAccount(state: State, command: CommandOf<'RenameAccount'>): Decision {
  const key = masterKey(state, command.by);
  if ('kind' in key) return key;
  const refusal = digestFault(command.nameDigest) ?? replayOf(state.idempotency, command);
  if (refusal !== null) return refusal;
  const { id, renamed } = key.account;
  const at = decisionTime(state, command.at);
  const againAt = renamed === null ? 0 : renamed.at + BETWEEN_RENAMES_MS;
  if (at < againAt) {
    return reject(
      'limit_reached',
      `A display name can be changed once in 7 days: this one again in ${durationText(againAt - at)}.`,
    );
  }
  return accept([{ accountId: id, at, nameDigest: command.nameDigest, type: 'AccountRenamed' }]);
}

export function accountRenamed(state: State, { accountId, at, nameDigest }: EventOf<'AccountRenamed'>): void {
  accountOf(state, accountId).renamed = { at, nameDigest };
}

function durationText(ms: number): string {
  const hours = Math.ceil(ms / 3_600_000);
  const days = Math.floor(hours / 24);
  return days === 0 ? `${hours} h` : `${days} d ${hours - days * 24} h`;
}
