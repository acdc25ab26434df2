import type { ErrorCode } from './errors.ts';

/** An error of the writer, the names or the read models, with a message for the client (packages/core/http). */
export abstract class PortError extends Error {
  abstract readonly code: ErrorCode;
}

/** Cannot be served now. A retry with the command's Idempotency-Key finds out whether it was carried out. */
export class Unavailable extends PortError {
  override readonly name = 'Unavailable';
  readonly code = 'unavailable';
}

/** Too many requests of this caller are waiting, or were carried out. Nothing was done for this one. */
export class RateLimited extends PortError {
  override readonly name = 'RateLimited';
  readonly code = 'rate_limited';
  constructor(
    message: string,
    readonly retryAfterSeconds = 1,
  ) {
    super(message);
  }
}

/** A fault of ours, which the log explains. */
export class InternalError extends PortError {
  override readonly name = 'InternalError';
  readonly code = 'internal';
  constructor() {
    super('internal error');
  }
}

/** The request breaks a rule. Nothing was done. */
export class Refused extends PortError {
  override readonly name = 'Refused';
  constructor(
    readonly code: Exclude<ErrorCode, 'unavailable' | 'rate_limited' | 'internal'>,
    message: string,
  ) {
    super(message);
  }
}

/** Refuses a cursor that this list did not give. */
export function cursorRefused(): Refused {
  return new Refused(
    'validation_failed',
    'validation failure: cursor: must be one that this list gave in its Link header',
  );
}
