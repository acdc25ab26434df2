import { isErrorCode } from '@paper/contracts';
import type { ErrorCode } from '@paper/contracts';
import { ApiRefusal } from 'paper-trading-client';

/** The codes of pmxt's errors, from which its packages choose the class of the error that they throw. */
export type PmxtCode =
  | 'AUTHENTICATION_ERROR'
  | 'BAD_REQUEST'
  | 'EVENT_NOT_FOUND'
  | 'EXCHANGE_NOT_AVAILABLE'
  | 'INSUFFICIENT_FUNDS'
  | 'INVALID_ORDER'
  | 'MARKET_NOT_FOUND'
  | 'NETWORK_ERROR'
  | 'NOT_FOUND'
  | 'ORDER_NOT_FOUND'
  | 'PERMISSION_DENIED'
  | 'RATE_LIMIT_EXCEEDED'
  | 'VALIDATION_ERROR';

/** The status of each code, and whether the call may be repeated, as in pmxt's server. */
const STATUSES: Readonly<Record<PmxtCode, { readonly status: number; readonly retryable: boolean }>> = {
  AUTHENTICATION_ERROR: { status: 401, retryable: false },
  BAD_REQUEST: { status: 400, retryable: false },
  EVENT_NOT_FOUND: { status: 404, retryable: false },
  EXCHANGE_NOT_AVAILABLE: { status: 503, retryable: true },
  INSUFFICIENT_FUNDS: { status: 400, retryable: false },
  INVALID_ORDER: { status: 400, retryable: false },
  MARKET_NOT_FOUND: { status: 404, retryable: false },
  NETWORK_ERROR: { status: 503, retryable: true },
  NOT_FOUND: { status: 404, retryable: false },
  ORDER_NOT_FOUND: { status: 404, retryable: false },
  PERMISSION_DENIED: { status: 403, retryable: false },
  RATE_LIMIT_EXCEEDED: { status: 429, retryable: true },
  VALIDATION_ERROR: { status: 400, retryable: false },
};

/** The pmxt code for each code of the API; all others are BAD_REQUEST. */
const CODES: Readonly<Partial<Record<ErrorCode, PmxtCode>>> = {
  validation_failed: 'VALIDATION_ERROR',
  invalid_tick: 'INVALID_ORDER',
  insufficient_balance: 'INSUFFICIENT_FUNDS',
  insufficient_shares: 'INSUFFICIENT_FUNDS',
  market_not_active: 'INVALID_ORDER',
  market_already_resolved: 'INVALID_ORDER',
  order_not_open: 'INVALID_ORDER',
  duplicate_client_order_id: 'INVALID_ORDER',
  mandate_exceeded: 'INVALID_ORDER',
  limit_reached: 'INVALID_ORDER',
  idempotency_conflict: 'INVALID_ORDER',
  not_authenticated: 'AUTHENTICATION_ERROR',
  forbidden: 'PERMISSION_DENIED',
  kyc_required: 'PERMISSION_DENIED',
  primary_account_required: 'PERMISSION_DENIED',
  market_not_found: 'MARKET_NOT_FOUND',
  not_found: 'ORDER_NOT_FOUND',
  rate_limited: 'RATE_LIMIT_EXCEEDED',
  request_timeout: 'NETWORK_ERROR',
  unavailable: 'EXCHANGE_NOT_AVAILABLE',
  internal: 'EXCHANGE_NOT_AVAILABLE',
};

/** An error that is answered in pmxt's shape. */
export class PmxtError extends Error {
  override readonly name = 'PmxtError';
  constructor(
    readonly code: PmxtCode,
    message: string,
    /** The seconds to wait, for RATE_LIMIT_EXCEEDED. */
    readonly retryAfter?: number,
  ) {
    super(message);
  }

  get status(): number {
    return STATUSES[this.code].status;
  }

  /** The answer's body. */
  body(exchange: string): object {
    const { code, message, retryAfter } = this;
    const { retryable } = STATUSES[code];
    const error = { message, code, retryable, exchange, ...(retryAfter === undefined ? {} : { retryAfter }) };
    return { success: false, error };
  }
}

/** The API's refusal as pmxt's error, with the API's own text. */
export function pmxtErrorOf(code: ErrorCode | null, message: string, retryAfter?: number): PmxtError {
  const pmxtCode = code === null ? 'EXCHANGE_NOT_AVAILABLE' : (CODES[code] ?? 'BAD_REQUEST');
  return new PmxtError(pmxtCode, message, pmxtCode === 'RATE_LIMIT_EXCEEDED' ? (retryAfter ?? 1) : undefined);
}

/** Converts an error of a call to the API to one of pmxt's. */
export function toPmxtError(error: unknown): PmxtError {
  if (error instanceof PmxtError) return error;
  if (error instanceof ApiRefusal) return pmxtErrorOf(isErrorCode(error.code) ? error.code : null, error.message);
  return new PmxtError('NETWORK_ERROR', 'The exchange did not answer; try again');
}
