/** Every error of the API in one table: code, status, and when. The OpenAPI document and the tests read it. */
export const ERRORS = {
  validation_failed: { status: 400, when: 'the request is not of the documented form' },
  invalid_tick: { status: 400, when: "the price is not a multiple of the market's tick size" },
  insufficient_balance: { status: 400, when: 'the free cash does not cover the order' },
  insufficient_shares: { status: 400, when: 'the free shares do not cover the sale' },
  market_not_active: { status: 400, when: 'the market takes no orders now' },
  market_already_resolved: { status: 400, when: 'the market is settling or settled' },
  idempotency_conflict: { status: 400, when: 'the same key or id was used with another request' },
  limit_reached: { status: 400, when: 'a documented limit is reached' },
  not_authenticated: { status: 401, when: 'no valid key or token' },
  forbidden: { status: 403, when: 'the key may not do this' },
  kyc_required: { status: 403, when: 'the account is not approved' },
  primary_account_required: { status: 403, when: "a sub-account's key where the primary's is needed" },
  market_not_found: { status: 404, when: 'no market has this id' },
  account_not_found: { status: 404, when: 'no account of the caller has this id' },
  not_found: { status: 404, when: 'no such route or resource' },
  method_not_allowed: { status: 405, when: 'the route exists, not for this method' },
  request_timeout: { status: 408, when: 'headers and body did not arrive in time' },
  payload_too_large: { status: 413, when: 'the body is over the limit' },
  unsupported_media_type: { status: 415, when: 'the body is not application/json' },
  rate_limited: { status: 429, when: 'too many requests, or too many waiting' },
  internal: { status: 500, when: 'a fault of ours' },
  unavailable: { status: 503, when: 'cannot be answered now; try again' },
} as const satisfies Record<string, { readonly status: number; readonly when: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** An error that a handler answers with: becomes `{error, code}` and the table's status (or the given one). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  constructor(
    readonly code: ErrorCode,
    message: string,
    /** Where an endpoint answers a code with another status than the table's (an unknown market on POST /api/orders). */
    readonly status: number = ERRORS[code].status,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/** A cursor that no list gave, or another list. */
export function cursorRefused(): ApiError {
  return new ApiError(
    'validation_failed',
    'validation failure: cursor: must be one that this list gave in its Link header',
  );
}
