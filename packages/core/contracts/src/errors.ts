/**
 * Every error of the API: its code, its status, when it is answered (a clause), what a client does next (sentences),
 * and its text. The OpenAPI document, docs/trade/errors.md and the tests are made from it.
 */
export const ERRORS = {
  validation_failed: {
    status: 400,
    when: 'the request is not of the documented form',
    remedy: 'Correct the request: the message names the field. Sending it again unchanged fails again.',
    example: 'validation failure: quantity: must be at most 500',
  },
  invalid_tick: {
    status: 400,
    when: "the price is not a multiple of the market's tick size",
    remedy: "Round the price to a multiple of the market's `tickSize`.",
    example: "The price must be a multiple of the market's tick size 0.01",
  },
  insufficient_balance: {
    status: 400,
    when: 'the free cash does not cover the order',
    remedy: 'Lower the quantity or the price, or cancel open orders, which reserve cash.',
    example: 'Insufficient balance',
  },
  insufficient_shares: {
    status: 400,
    when: 'the free shares do not cover the sale',
    remedy: 'Lower the quantity, or cancel open sales, which reserve shares.',
    example: 'Insufficient shares: only free shares can be sold. To go short, buy the other outcome at 1 - price.',
  },
  market_not_active: {
    status: 400,
    when: 'the market takes no orders now',
    remedy: "Read the market's `status` and `closesAt`; send the order once it is active, or to another market.",
    example: 'Market is not active',
  },
  market_already_resolved: {
    status: 400,
    when: 'the market is settling or settled',
    remedy: 'Stop sending orders: the market never trades again.',
    example: 'The market is resolved yes already.',
  },
  order_not_open: {
    status: 400,
    when: 'the order has ended',
    remedy: 'Place a new order.',
    example: 'The order is filled already.',
  },
  duplicate_client_order_id: {
    status: 400,
    when: 'the account has used this clientOrderId within 24 hours',
    remedy: 'Use a new clientOrderId, or look the order up with `GET /api/orders/client/{clientOrderId}`.',
    example:
      'clientOrderId quote-17 is in use by an open order of this account, or by one that ended in the last 24 hours',
  },
  mandate_exceeded: {
    status: 400,
    when: "the order passes a limit of the key's mandate",
    remedy: 'Send a smaller order, or ask the owner of the primary account to change the mandate.',
    example: 'Mandate exceeded: maxOrderCost is 5, this order would make it 5.0001',
  },
  idempotency_conflict: {
    status: 400,
    when: 'the same key or id was used with another request',
    remedy: 'Use a new Idempotency-Key for a new request; reuse a key only to repeat the same one.',
    example: 'This Idempotency-Key was used with another request; take a new key.',
  },
  limit_reached: {
    status: 400,
    when: 'a documented limit is reached',
    remedy: 'Release what the message names (cancel orders, revoke keys), or wait.',
    example: 'An account can have 1000 open orders; cancel one first.',
  },
  tape_not_found: {
    status: 400,
    when: 'no tape has this id, or it cannot be played',
    remedy: 'Look the id up in `GET /api/tapes`, which also says why a file is refused.',
    example: 'No tape has the id no-such-tape',
  },
  backtest_limit: {
    status: 400,
    when: 'no further backtest may run now',
    remedy: 'Wait until one has ended, or delete one of yours.',
    example: '2 backtests run already, which is the limit here',
  },
  backtest_not_ended: {
    status: 400,
    when: 'the backtest has not ended',
    remedy: 'Wait for its end, or ask with `partial=true` for what there is.',
    example: 'The backtest has not ended: partial=true gives what there is',
  },
  backtest_ended: {
    status: 400,
    when: 'the backtest has ended, and takes no commands',
    remedy: 'Read its report, or start another backtest.',
    example: 'The backtest has ended: it takes no commands any more, and answers reads for an hour.',
  },
  not_authenticated: {
    status: 401,
    when: 'no valid key or token',
    remedy: 'Send a valid key, as `Authorization: Bearer KEY` or `X-Api-Key: KEY`.',
    example: 'Not authenticated',
  },
  forbidden: {
    status: 403,
    when: 'the key or token may not do this, or the account was closed',
    remedy: 'Use a key that has the permission, or that owns the resource; an operator: a token that has the scope.',
    example: 'Forbidden',
  },
  kyc_required: {
    status: 403,
    when: 'the account is not approved',
    remedy: 'Ask the operator to approve the account.',
    example: 'Permission or KYC: this account is not approved for trading yet.',
  },
  primary_account_required: {
    status: 403,
    when: "a sub-account's key where the primary's is needed",
    remedy: 'Use a key of the primary account.',
    example: 'Switch to your primary account to do this',
  },
  left_out: {
    status: 403,
    when: 'the participant did not call for the patience of its backtest',
    remedy: 'Start another backtest, with more patience where the bot thinks for long.',
    example: 'This participant did not call in time, and was left out: its orders are cancelled.',
  },
  market_not_found: {
    status: 404,
    when: 'no market has this id',
    remedy: 'Look the id up in `GET /api/markets`.',
    example: 'No market has the id no-such-market',
  },
  account_not_found: {
    status: 404,
    when: 'no account of the caller has this id, or none whose results are public',
    remedy: 'Look the id up in `GET /api/accounts/sub`, or a trader in `GET /api/leaderboard`.',
    example: 'No account of yours has this id',
  },
  backtest_not_found: {
    status: 404,
    when: 'no backtest of the caller has this id, or its process is gone',
    remedy: 'Look the id up in `GET /api/backtests`.',
    example: 'No backtest of yours has this id',
  },
  not_found: {
    status: 404,
    when: 'no such route or resource',
    remedy: 'Compare the path with `GET /api/openapi`.',
    example: 'No such route',
  },
  method_not_allowed: {
    status: 405,
    when: 'the route exists, not for this method',
    remedy: 'Use a method that the `Allow` header names.',
    example: 'The methods here are: GET',
  },
  request_timeout: {
    status: 408,
    when: 'headers and body did not arrive in time',
    remedy: 'Send the whole request within 10 s.',
    example: 'The request did not arrive in time',
  },
  payload_too_large: {
    status: 413,
    when: 'the body is over the limit',
    remedy: "Send less: a body of at most 64 KiB (4 MiB for operators' batches), headers of at most 16 KiB.",
    example: 'The body is larger than 65536 bytes',
  },
  unsupported_media_type: {
    status: 415,
    when: 'the body is not application/json',
    remedy: 'Send `Content-Type: application/json`.',
    example: 'The body must be application/json in UTF-8',
  },
  rate_limited: {
    status: 429,
    when: "too many requests, too many waiting, or the fleet's commands of the UTC day are used up",
    remedy: 'Wait for the seconds of `Retry-After`, then send the same request again.',
    example: 'Too many reads: try again in 1 s',
  },
  internal: {
    status: 500,
    when: 'a fault of ours',
    remedy: 'Report it. Send a command again with the same Idempotency-Key to learn what became of it.',
    example: 'Internal error',
  },
  unavailable: {
    status: 503,
    when: 'cannot be answered now; try again',
    remedy:
      'Wait for the seconds of `Retry-After`, then send the same request again, a command with the same Idempotency-Key.',
    example: 'The service is stopping',
  },
} as const satisfies Record<
  string,
  { readonly status: number; readonly when: string; readonly remedy: string; readonly example: string }
>;

export type ErrorCode = keyof typeof ERRORS;

export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(ERRORS, code);
}

/** An HTTP error: becomes `{error, code}`, with the table's status or a given one. Ports throw `PortError` instead. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  constructor(
    readonly code: ErrorCode,
    message: string,
    /** Differs from the table's status if the endpoint declares so, and for headers that are too large. */
    readonly status: number = ERRORS[code].status,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}
