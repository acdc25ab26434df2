import { Unavailable } from '@paper/contracts';
import type { Journal } from '@paper/journal';
import type { ProgressSource } from './progress.ts';
import { coalesceReads } from './coalesce-reads.ts';

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
      const seq = await within(head(), timeoutMs);
      if (seq !== null && (await progress.reached(seq, Math.max(0, deadline - performance.now())))) return seq;
      throw new Unavailable('the read models are behind the journal; try again');
    },
  };
}

/** Returns the sequence; null when reading it fails or takes longer than `timeoutMs`. */
async function within(reading: Promise<number>, timeoutMs: number): Promise<number | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), timeoutMs);
  });
  try {
    return await Promise.race([reading.catch(() => null), late]);
  } finally {
    clearTimeout(timer);
  }
}
