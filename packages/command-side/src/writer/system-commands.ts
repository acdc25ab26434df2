import { RULES_VERSION } from '@paper/exchange';
import type { CloseMarket, ContinueRun, Settings, StartWriterEpoch } from '@paper/exchange';
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
export function continueRun(at: number, marketId: string, cause: string, ids: Ids): ContinueRun {
  return {
    at,
    by: { kind: 'system' },
    causationId: cause,
    correlationId: cause,
    id: ids.newId(),
    idempotency: null,
    marketId,
    type: 'ContinueRun',
  };
}

export function closeMarket(at: number, marketId: string, ids: Ids): CloseMarket {
  const id = ids.newId();
  return {
    at,
    by: { kind: 'system' },
    causationId: id,
    correlationId: id,
    id,
    idempotency: null,
    marketId,
    type: 'CloseMarket',
  };
}
