import type { Answer } from '@paper/contracts';

/** The headers that say whether an answer repeats that of an earlier request with the same Idempotency-Key. */
export function replayHeaders(isReplay: boolean): Pick<Answer<unknown>, 'headers'> {
  return isReplay ? { headers: { 'Idempotent-Replayed': 'true' } } : {};
}
