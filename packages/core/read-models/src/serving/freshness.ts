import { Unavailable } from '@paper/contracts';
import type { Journal } from '@paper/journal';
import { inTime } from '@paper/timing';
import type { ProgressSource } from './progress.ts';
import { coalesceReads } from '../engine/coalesce-reads.ts';

/** Ensures that a read sees every command that was answered before the read began. */
export interface Freshness {
  /** Waits until the projection is at the journal's present head; returns that. @throws Unavailable after `timeoutMs` */
  reached(wait?: FreshnessWait): Promise<number>;
}

export interface FreshnessWait {
  /** Lets the projector go on gathering events; default: it projects what it has gathered at once. */
  readonly patient?: boolean;
  /** The time limit of the wait. Default 2,000. */
  readonly timeoutMs?: number;
}

export const FRESHNESS_TIMEOUT_MS = 2000;

export function createFreshness(journal: Pick<Journal, 'head'>, progress: ProgressSource): Freshness {
  const head = coalesceReads(() => journal.head().then(({ seq }) => seq));
  return {
    async reached({ patient = false, timeoutMs = FRESHNESS_TIMEOUT_MS } = {}) {
      const deadline = performance.now() + timeoutMs;
      const nothing = (): null => null;
      // The projection writes its gathered events while the head is read.
      if (!patient) progress.hurry?.();
      const seq = await inTime(head().catch(nothing), timeoutMs, nothing);
      const leftMs = Math.max(0, deadline - performance.now());
      if (seq !== null && (await progress.reached(seq, leftMs, patient ? 'patient' : undefined))) return seq;
      throw new Unavailable('the read models are behind the journal; try again');
    },
  };
}
