import { ApiError, PortError, RateLimited } from '@paper/contracts';
import type { Endpoint } from '@paper/contracts';

/** Maps an error of HTTP or of a port to its answer, with its status; null for bugs and errors of libraries. */
export function apiErrorOf(error: unknown, statuses: Endpoint['errorStatuses'] = {}): ApiError | null {
  if (error instanceof ApiError) return error;
  if (!(error instanceof PortError)) return null;
  const headers = error instanceof RateLimited ? { 'retry-after': String(error.retryAfterSeconds) } : {};
  return new ApiError(error.code, error.message, statuses[error.code], headers);
}

/** Turns any error into an answer. Internal errors reveal no details. */
export function toApiError(error: unknown, statuses: Endpoint['errorStatuses']): ApiError {
  const answer = apiErrorOf(error, statuses);
  if (answer !== null) return answer;
  if (error instanceof Error) {
    // An AbortSignal.timeout has run out, wherever it was awaited.
    if (error.name === 'TimeoutError') return new ApiError('unavailable', 'It took too long; try again');
    // Express refuses a parameter whose percent-encoding is not UTF-8.
    if ('status' in error && error.status === 400) {
      return new ApiError('validation_failed', 'validation failure: path: the percent-encoding is not valid UTF-8');
    }
  }
  return new ApiError('internal', 'Internal error');
}
