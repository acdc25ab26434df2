/** The base of all errors that the client throws by itself. */
export class PaperTradingError extends Error {
  override readonly name: string = 'PaperTradingError';
}

/**
 * The service refused the request. There is a class for each `code`, such as `InsufficientBalance`; an answer without a
 * known code (of a proxy, or of a newer service) is an ApiRefusal itself.
 */
export class ApiRefusal extends PaperTradingError {
  override readonly name: string = 'ApiRefusal';
  /** Null if a proxy in front of the service answered. */
  readonly code: string | null;
  readonly status: number;
  readonly request: string;
  /** The pause that the service demands before another attempt, in ms; null if it names none. */
  readonly retryAfterMs: number | null;

  /** @param text the service's own text: what was wrong and what would be right */
  constructor(request: string, status: number, code: string | null, text: string, retryAfterMs: number | null = null) {
    super(text);
    this.request = request;
    this.status = status;
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
}

/** No answer came within the time for retries to a request that changes nothing. It can be sent again at any time. */
export class Unreachable extends PaperTradingError {
  override readonly name: string = 'Unreachable';
}

/**
 * A command was sent, and no answer says what became of it. Send it again with the same Idempotency-Key within 24
 * hours: it is carried out once at most, and its answer is then the first one.
 *
 * ```ts
 * await client.createOrder(order, { idempotencyKey: error.idempotencyKey, firstSentAt: error.firstSentAt });
 * ```
 */
export class OutcomeUnknown extends PaperTradingError {
  override readonly name: string = 'OutcomeUnknown';
  readonly request: string;
  /** The Idempotency-Key; null for a command that sets a state, which can simply be sent again. */
  readonly idempotencyKey: string | null;
  /** The time of the first attempt, in ms since 1970 UTC. */
  readonly firstSentAt: number;

  constructor(request: string, idempotencyKey: string | null, firstSentAt: number, cause: unknown) {
    const how = idempotencyKey === null ? '' : ` Its Idempotency-Key is ${idempotencyKey}.`;
    super(`${request} was sent, and no answer came: it may have been carried out.${how}`, { cause });
    this.request = request;
    this.idempotencyKey = idempotencyKey;
    this.firstSentAt = firstSentAt;
  }
}

/** The refusal in an error: the error itself, or the last answer that it reports; null if no answer came. */
export function refusalIn(error: unknown): ApiRefusal | null {
  if (error instanceof ApiRefusal) return error;
  return error instanceof OutcomeUnknown && error.cause instanceof ApiRefusal ? error.cause : null;
}

/** The key is older than 24 hours, after which the service drops it, so a repeat could be carried out a second time. */
export class IdempotencyKeyTooOld extends PaperTradingError {
  override readonly name: string = 'IdempotencyKeyTooOld';
  readonly idempotencyKey: string;

  constructor(request: string, idempotencyKey: string) {
    const why = `${request} was first sent more than 24 hours ago`;
    super(`${why}: it is not sent again with the Idempotency-Key ${idempotencyKey}. Look up what became of it.`);
    this.idempotencyKey = idempotencyKey;
  }
}

/** The answer with the raw key of a new key was lost, and the client could not replace the key: revoke it. */
export class KeyLost extends PaperTradingError {
  override readonly name: string = 'KeyLost';
  readonly keyId: string;
  readonly accountId: string;

  constructor(keyId: string, accountId: string, cause?: unknown) {
    const lost = `The raw key of ${keyId} was lost with its answer.`;
    super(`${lost} Revoke it, and create another key for ${accountId}.`, { cause });
    this.keyId = keyId;
    this.accountId = accountId;
  }
}

/** The public journal contradicts a receipt. Store both: together they prove it. */
export class ReceiptFault extends PaperTradingError {
  override readonly name: string = 'ReceiptFault';
}
