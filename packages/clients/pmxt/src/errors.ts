import { isErrorCode } from '@paper/contracts';
import type { ErrorCode } from '@paper/contracts';
import { ApiRefusal } from 'paper-trading-client';

/** The status of each code of pmxt, from which its packages choose the class of the error that they throw. */
const STATUSES = {
  AUTHENTICATION_ERROR: 401,
  BAD_REQUEST: 400,
  EVENT_NOT_FOUND: 404,
  EXCHANGE_NOT_AVAILABLE: 503,
  INSUFFICIENT_FUNDS: 400,
  INVALID_ORDER: 400,
  MARKET_NOT_FOUND: 404,
  NETWORK_ERROR: 503,
  NOT_FOUND: 404,
  ORDER_NOT_FOUND: 404,
  PERMISSION_DENIED: 403,
  RATE_LIMIT_EXCEEDED: 429,
  VALIDATION_ERROR: 400,
} as const;

type PmxtCode = keyof typeof STATUSES;

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
    return STATUSES[this.code];
  }

  body(exchange: string): object {
    const { code, message, retryAfter, status } = this;
    const retryable = status === 429 || status === 503;
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
