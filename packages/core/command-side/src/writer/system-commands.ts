import { RULES_VERSION } from '@paper/exchange';
import type { DueTimer } from '@paper/exchange';
import type { CommandOf, Settings, Untimed } from '@paper/exchange/commands';
import type { Ids } from '../random.ts';
import type { RunSubject } from './run-subject.ts';

/** Builds the command with its keys in alphabetical order, as all content of the journal has them. */
export function startWriterEpoch(
  at: number,
  build: string,
  settings: Settings,
  ids: Ids,
): CommandOf<'StartWriterEpoch'> {
  const id = ids.newId();
  return {
    at,
    build,
    by: { kind: 'system' },
    causationId: id,
    correlationId: id,
    id,
    idempotency: null,
    rulesVersion: RULES_VERSION,
    settings,
    type: 'StartWriterEpoch',
    writerId: ids.newId(),
  };
}

/** The command for the next piece of a run. `cause`: the id of the command that began the run. */
export function continueRun(subject: RunSubject, cause: string, ids: Ids): Untimed {
  const base = { by: { kind: 'system' }, causationId: cause, correlationId: cause, id: ids.newId() } as const;
  return subject.type === 'ContinueRun'
    ? { ...base, idempotency: null, marketId: subject.marketId, type: 'ContinueRun' }
    : { accountId: subject.accountId, ...base, idempotency: null, type: 'ContinueClosing' };
}

export function timerCommand(due: DueTimer, ids: Ids): Untimed {
  const id = ids.newId();
  const base = { by: { kind: 'system' }, causationId: id, correlationId: id, id, idempotency: null } as const;
  return { ...base, ...due };
}
