import { RULES_VERSION } from '@paper/exchange';
import type { ContinueRun, DueTimer, Settings, StartWriterEpoch, Untimed } from '@paper/exchange';
import type { Ids } from '../random.ts';

/** Keys are built in alphabetical order, as everything that goes into the journal. */
export function startWriterEpoch(at: number, build: string, settings: Settings, ids: Ids): StartWriterEpoch {
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

/** `cause` is the command that began the run. */
export function continueRun(marketId: string, cause: string, ids: Ids): Untimed<ContinueRun> {
  return {
    by: { kind: 'system' },
    causationId: cause,
    correlationId: cause,
    id: ids.newId(),
    idempotency: null,
    marketId,
    type: 'ContinueRun',
  };
}

/** What a timer does whose time has come. */
export function timerCommand(due: DueTimer, ids: Ids): Untimed {
  const id = ids.newId();
  const base = { by: { kind: 'system' }, causationId: id, correlationId: id, id, idempotency: null } as const;
  return { ...base, ...due };
}
