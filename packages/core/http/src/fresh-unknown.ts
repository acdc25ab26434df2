import { UNKNOWN_COST } from '@paper/contracts';
import { bucketOf, costOfCall, limitAddress } from './admission.ts';
import type { AdmissionSettings, AdmittingRoute } from './admission.ts';
import { toApiError } from './api-error.ts';
import type { Call } from './call.ts';

/**
 * Answers a read. A 404 to a caller without a valid key may be out of date, so the read is repeated once the projection
 * has caught up with the journal (http-rules, Freshness). Throws Unavailable or rate_limited if it cannot be.
 */
export function retryUnknownWhenFresh<T>(
  { authenticate: { waitUntilCaughtUp }, endpoint }: AdmittingRoute,
  call: Call,
  settings: AdmissionSettings,
  answer: () => T | Promise<T>,
): T | Promise<T> {
  if (call.isFresh || waitUntilCaughtUp === undefined) return answer();
  const repeat = async (error: unknown): Promise<T> => {
    const { code, status } = toApiError(error, call.errorStatuses);
    if (status !== 404 && code !== 'market_not_found') throw error;
    const further = UNKNOWN_COST - costOfCall(endpoint, call);
    if (further > 0) limitAddress(call, bucketOf(endpoint), settings, further);
    await waitUntilCaughtUp({ patient: true });
    return answer();
  };
  try {
    const answered = answer();
    return answered instanceof Promise ? answered.catch(repeat) : answered;
  } catch (error) {
    return repeat(error);
  }
}
