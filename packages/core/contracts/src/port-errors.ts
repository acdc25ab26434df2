import type { ErrorCode } from './errors.ts';

/**
 * An error of a port: of the writer, the display names, the read models. It has a code of the error table and a message
 * for the client. It knows nothing of HTTP: packages/core/http turns it into an answer.
 */
export abstract class PortError extends Error {
  abstract readonly code: ErrorCode;
}

/**
 * The request cannot be served now. A command may or may not have been carried out: a retry with its Idempotency-Key
 * finds out.
 */
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
    /** The time after which the same request may be allowed again. */
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
