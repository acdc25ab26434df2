// Generated from the endpoints of @paper/contracts by `npm run build:client-types`. Do not edit.

import { ApiRefusal } from '../errors.ts';

/** The kinds of refusals: stable, for programs. */
export type ErrorCode =
  | 'validation_failed'
  | 'invalid_tick'
  | 'insufficient_balance'
  | 'insufficient_shares'
  | 'market_not_active'
  | 'market_already_resolved'
  | 'order_not_open'
  | 'duplicate_client_order_id'
  | 'mandate_exceeded'
  | 'idempotency_conflict'
  | 'limit_reached'
  | 'tape_not_found'
  | 'backtest_limit'
  | 'backtest_not_ended'
  | 'backtest_ended'
  | 'not_authenticated'
  | 'forbidden'
  | 'kyc_required'
  | 'primary_account_required'
  | 'left_out'
  | 'market_not_found'
  | 'account_not_found'
  | 'backtest_not_found'
  | 'not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'rate_limited'
  | 'internal'
  | 'unavailable';

/** 400 `validation_failed`: the request is not of the documented form. Correct the request: the message names the field. Sending it again unchanged fails again. */
export class ValidationFailed extends ApiRefusal {
  override readonly name: string = 'ValidationFailed';
  declare readonly code: 'validation_failed';
}

/** 400 `invalid_tick`: the price is not a multiple of the market's tick size. Round the price to a multiple of the market's `tickSize`. */
export class InvalidTick extends ApiRefusal {
  override readonly name: string = 'InvalidTick';
  declare readonly code: 'invalid_tick';
}

/** 400 `insufficient_balance`: the free cash does not cover the order. Lower the quantity or the price, or cancel open orders, which reserve cash. */
export class InsufficientBalance extends ApiRefusal {
  override readonly name: string = 'InsufficientBalance';
  declare readonly code: 'insufficient_balance';
}

/** 400 `insufficient_shares`: the free shares do not cover the sale. Lower the quantity, or cancel open sales, which reserve shares. */
export class InsufficientShares extends ApiRefusal {
  override readonly name: string = 'InsufficientShares';
  declare readonly code: 'insufficient_shares';
}

/** 400 `market_not_active`: the market takes no orders now. Read the market's `status` and `closesAt`; send the order once it is active, or to another market. */
export class MarketNotActive extends ApiRefusal {
  override readonly name: string = 'MarketNotActive';
  declare readonly code: 'market_not_active';
}

/** 400 `market_already_resolved`: the market is settling or settled. Stop sending orders: the market never trades again. */
export class MarketAlreadyResolved extends ApiRefusal {
  override readonly name: string = 'MarketAlreadyResolved';
  declare readonly code: 'market_already_resolved';
}

/** 400 `order_not_open`: the order has ended. Place a new order. */
export class OrderNotOpen extends ApiRefusal {
  override readonly name: string = 'OrderNotOpen';
  declare readonly code: 'order_not_open';
}

/** 400 `duplicate_client_order_id`: the account has used this clientOrderId within 24 hours. Use a new clientOrderId, or look the order up with `GET /api/orders/client/{clientOrderId}`. */
export class DuplicateClientOrderId extends ApiRefusal {
  override readonly name: string = 'DuplicateClientOrderId';
  declare readonly code: 'duplicate_client_order_id';
}

/** 400 `mandate_exceeded`: the order passes a limit of the key's mandate. Send a smaller order, or ask the owner of the primary account to change the mandate. */
export class MandateExceeded extends ApiRefusal {
  override readonly name: string = 'MandateExceeded';
  declare readonly code: 'mandate_exceeded';
}

/** 400 `idempotency_conflict`: the same key or id was used with another request. Use a new Idempotency-Key for a new request; reuse a key only to repeat the same one. */
export class IdempotencyConflict extends ApiRefusal {
  override readonly name: string = 'IdempotencyConflict';
  declare readonly code: 'idempotency_conflict';
}

/** 400 `limit_reached`: a documented limit is reached. Release what the message names (cancel orders, revoke keys), or wait. */
export class LimitReached extends ApiRefusal {
  override readonly name: string = 'LimitReached';
  declare readonly code: 'limit_reached';
}

/** 400 `tape_not_found`: no tape has this id, or it cannot be played. Look the id up in `GET /api/tapes`, which also says why a file is refused. */
export class TapeNotFound extends ApiRefusal {
  override readonly name: string = 'TapeNotFound';
  declare readonly code: 'tape_not_found';
}

/** 400 `backtest_limit`: no further backtest may run now. Wait until one has ended, or delete one of yours. */
export class BacktestLimit extends ApiRefusal {
  override readonly name: string = 'BacktestLimit';
  declare readonly code: 'backtest_limit';
}

/** 400 `backtest_not_ended`: the backtest has not ended. Wait for its end, or ask with `partial=true` for what there is. */
export class BacktestNotEnded extends ApiRefusal {
  override readonly name: string = 'BacktestNotEnded';
  declare readonly code: 'backtest_not_ended';
}

/** 400 `backtest_ended`: the backtest has ended, and takes no commands. Read its report, or start another backtest. */
export class BacktestEnded extends ApiRefusal {
  override readonly name: string = 'BacktestEnded';
  declare readonly code: 'backtest_ended';
}

/** 401 `not_authenticated`: no valid key or token. Send a valid key, as `Authorization: Bearer KEY` or `X-Api-Key: KEY`. */
export class NotAuthenticated extends ApiRefusal {
  override readonly name: string = 'NotAuthenticated';
  declare readonly code: 'not_authenticated';
}

/** 403 `forbidden`: the key or token may not do this, or the account was closed. Use a key that has the permission, or that owns the resource; an operator: a token that has the scope. */
export class Forbidden extends ApiRefusal {
  override readonly name: string = 'Forbidden';
  declare readonly code: 'forbidden';
}

/** 403 `kyc_required`: the account is not approved. Ask the operator to approve the account. */
export class KycRequired extends ApiRefusal {
  override readonly name: string = 'KycRequired';
  declare readonly code: 'kyc_required';
}

/** 403 `primary_account_required`: a sub-account's key where the primary's is needed. Use a key of the primary account. */
export class PrimaryAccountRequired extends ApiRefusal {
  override readonly name: string = 'PrimaryAccountRequired';
  declare readonly code: 'primary_account_required';
}

/** 403 `left_out`: the participant did not call for the patience of its backtest. Start another backtest, with more patience where the bot thinks for long. */
export class LeftOut extends ApiRefusal {
  override readonly name: string = 'LeftOut';
  declare readonly code: 'left_out';
}

/** 404 `market_not_found`: no market has this id. Look the id up in `GET /api/markets`. */
export class MarketNotFound extends ApiRefusal {
  override readonly name: string = 'MarketNotFound';
  declare readonly code: 'market_not_found';
}

/** 404 `account_not_found`: no account of the caller has this id, or none whose results are public. Look the id up in `GET /api/accounts/sub`, or a trader in `GET /api/leaderboard`. */
export class AccountNotFound extends ApiRefusal {
  override readonly name: string = 'AccountNotFound';
  declare readonly code: 'account_not_found';
}

/** 404 `backtest_not_found`: no backtest of the caller has this id, or its process is gone. Look the id up in `GET /api/backtests`. */
export class BacktestNotFound extends ApiRefusal {
  override readonly name: string = 'BacktestNotFound';
  declare readonly code: 'backtest_not_found';
}

/** 404 `not_found`: no such route or resource. Compare the path with `GET /api/openapi`. */
export class NotFound extends ApiRefusal {
  override readonly name: string = 'NotFound';
  declare readonly code: 'not_found';
}

/** 405 `method_not_allowed`: the route exists, not for this method. Use a method that the `Allow` header names. */
export class MethodNotAllowed extends ApiRefusal {
  override readonly name: string = 'MethodNotAllowed';
  declare readonly code: 'method_not_allowed';
}

/** 408 `request_timeout`: headers and body did not arrive in time. Send the whole request within 10 s. */
export class RequestTimeout extends ApiRefusal {
  override readonly name: string = 'RequestTimeout';
  declare readonly code: 'request_timeout';
}

/** 413 `payload_too_large`: the body is over the limit. Send less: a body of at most 64 KiB (4 MiB for operators' batches), headers of at most 16 KiB. */
export class PayloadTooLarge extends ApiRefusal {
  override readonly name: string = 'PayloadTooLarge';
  declare readonly code: 'payload_too_large';
}

/** 415 `unsupported_media_type`: the body is not application/json. Send `Content-Type: application/json`. */
export class UnsupportedMediaType extends ApiRefusal {
  override readonly name: string = 'UnsupportedMediaType';
  declare readonly code: 'unsupported_media_type';
}

/** 429 `rate_limited`: too many requests, too many waiting, or the fleet's commands of the UTC day are used up. Wait for the seconds of `Retry-After`, then send the same request again. */
export class RateLimited extends ApiRefusal {
  override readonly name: string = 'RateLimited';
  declare readonly code: 'rate_limited';
}

/** 500 `internal`: a fault of ours. Report it. Send a command again with the same Idempotency-Key to learn what became of it. */
export class InternalError extends ApiRefusal {
  override readonly name: string = 'InternalError';
  declare readonly code: 'internal';
}

/** 503 `unavailable`: cannot be answered now; try again. Wait for the seconds of `Retry-After`, then send the same request again, a command with the same Idempotency-Key. */
export class Unavailable extends ApiRefusal {
  override readonly name: string = 'Unavailable';
  declare readonly code: 'unavailable';
}

/** The class of each code. */
export const REFUSALS: Readonly<Record<ErrorCode, typeof ApiRefusal>> = {
  validation_failed: ValidationFailed,
  invalid_tick: InvalidTick,
  insufficient_balance: InsufficientBalance,
  insufficient_shares: InsufficientShares,
  market_not_active: MarketNotActive,
  market_already_resolved: MarketAlreadyResolved,
  order_not_open: OrderNotOpen,
  duplicate_client_order_id: DuplicateClientOrderId,
  mandate_exceeded: MandateExceeded,
  idempotency_conflict: IdempotencyConflict,
  limit_reached: LimitReached,
  tape_not_found: TapeNotFound,
  backtest_limit: BacktestLimit,
  backtest_not_ended: BacktestNotEnded,
  backtest_ended: BacktestEnded,
  not_authenticated: NotAuthenticated,
  forbidden: Forbidden,
  kyc_required: KycRequired,
  primary_account_required: PrimaryAccountRequired,
  left_out: LeftOut,
  market_not_found: MarketNotFound,
  account_not_found: AccountNotFound,
  backtest_not_found: BacktestNotFound,
  not_found: NotFound,
  method_not_allowed: MethodNotAllowed,
  request_timeout: RequestTimeout,
  payload_too_large: PayloadTooLarge,
  unsupported_media_type: UnsupportedMediaType,
  rate_limited: RateLimited,
  internal: InternalError,
  unavailable: Unavailable,
};
