import { ApiError } from '@paper/contracts';

const RETRY_AFTER = { 'Retry-After': '1' };

/** Cannot be answered now. Whether a command was carried out is open: its Idempotency-Key finds the truth on retry. */
export function unavailable(message: string): ApiError {
  return new ApiError('unavailable', message, undefined, RETRY_AFTER);
}

/** The error of a process that does not decide now: it starts, stops, stands by, or is not sure that it still leads. */
export function notTaking(): ApiError {
  return unavailable('the service takes no commands now; try again');
}

export function tooManyWaiting(): ApiError {
  return new ApiError('rate_limited', "too many of this account's commands are waiting", undefined, RETRY_AFTER);
}

export function internal(): ApiError {
  return new ApiError('internal', 'internal error');
}
