import { ApiError, ERRORS, isErrorCode, Unavailable } from '@paper/contracts';
import { createClient, refusalIn } from 'paper-trading-client';
import type { PaperTradingClient } from 'paper-trading-client';

/** A client of the public API with one key. */
export type Api = PaperTradingClient;

const TIMEOUT_MS = 10_000;
/** How soon a call must have failed to be sent again. A call that took longer is not, since a person waits. */
const RETRY_FOR_MS = 2_000;

export class Apis {
  /** `url` throws Unavailable before the portal has started. */
  constructor(
    readonly url: () => string,
    private readonly operatorToken: string,
  ) {}

  /** A client that acts as the portal: it opens accounts, and issues keys of those that it opened. */
  get operator(): Api {
    return this.as(this.operatorToken);
  }

  as(key: string): Api {
    return createClient({ baseUrl: this.url(), key, timeoutMs: TIMEOUT_MS, retryForMs: RETRY_FOR_MS });
  }
}

/** The body of a call. @throws ApiError with the API's status, code and text; Unavailable without an answer. */
export async function bodyOf<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw toApiError(error);
  }
}

/** The portal's answer to a failed call. */
function toApiError(error: unknown): ApiError | Unavailable {
  const refusal = refusalIn(error);
  if (refusal === null) return new Unavailable('The exchange does not answer; try again', { cause: error });
  const { code, message, retryAfterMs, status } = refusal;
  const headers = retryAfterMs === null ? {} : { 'retry-after': String(retryAfterMs / 1_000) };
  if (!isErrorCode(code)) {
    return new ApiError('unavailable', 'The exchange does not answer; try again', ERRORS.unavailable.status, headers);
  }
  // A 401 here concerns a key of the portal's, but a browser would take it for the end of its session.
  if (status === 401) return new ApiError('unavailable', 'The key of this account was revoked; try again');
  return new ApiError(code, message, status, headers);
}
