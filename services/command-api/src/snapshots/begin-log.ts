import type { Logger } from '@paper/service-kit';
import type { BeginObserver } from './begin.ts';

/** Log lines of where a fold begins, and of each snapshot that is not used. */
export function logBeginning(logger: Logger): BeginObserver {
  return {
    refused: (reason, snapshot) => {
      logger.warn({ reason, snapshot }, snapshot === null ? 'no snapshot is used' : 'a snapshot is not used');
    },
    began: (snapshot, tookMs) => {
      if (snapshot === null) logger.info('the journal is folded from its first event');
      else logger.info({ seq: snapshot.seq, stateHash: snapshot.stateHash, tookMs }, 'the fold begins from a snapshot');
    },
  };
}
