import type { Answer } from '@paper/contracts';

/** The headers of an answer by whether it repeats that to an earlier request with the same Idempotency-Key. */
export function replayHeaders(isReplay: boolean): Pick<Answer<unknown>, 'headers'> {
  return isReplay ? { headers: { 'Idempotent-Replayed': 'true' } } : {};
}
