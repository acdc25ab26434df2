import { Unavailable } from '@paper/contracts';
import type { Journal } from '@paper/journal';
import { inTime } from '@paper/timing';
import type { ProgressSource } from './progress.ts';
import { coalesceReads } from '../engine/coalesce-reads.ts';

/** Ensures that a read sees every command that was answered before the read began. */
export interface Freshness {
  /**
   * Waits until the projection is where the journal's head was when this was called, and gives that sequence.
   *
   * @throws Unavailable after `timeoutMs` (default 2 s).
   */
  reached(timeoutMs?: number): Promise<number>;
}

export const FRESHNESS_TIMEOUT_MS = 2000;

export function createFreshness(journal: Pick<Journal, 'head'>, progress: ProgressSource): Freshness {
  const head = coalesceReads(() => journal.head().then(({ seq }) => seq));
  return {
    async reached(timeoutMs = FRESHNESS_TIMEOUT_MS) {
      const deadline = performance.now() + timeoutMs;
      const nothing = (): null => null;
      // The projection writes its gathered events while the head is read.
      progress.hurry?.();
      const seq = await inTime(head().catch(nothing), timeoutMs, nothing);
      if (seq !== null && (await progress.reached(seq, Math.max(0, deadline - performance.now())))) return seq;
      throw new Unavailable('the read models are behind the journal; try again');
    },
  };
}
