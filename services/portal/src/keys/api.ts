import { ApiError, createClient, endpoints, ERRORS, isErrorCode, Unavailable } from '@paper/contracts';
import type { ApiAnswer, ApiClient } from '@paper/contracts';

/** A client of the public API, as one key. */
export type Api = ApiClient<typeof endpoints>;

const TIMEOUT_MS = 10_000;
/** Commands carry an Idempotency-Key then, so that a repeated one is not decided twice. */
const ATTEMPTS = 3;

/** Creates clients of the API. */
export class Apis {
  readonly #url: () => string;
  readonly #operatorToken: string;

  /** @param url throws `Unavailable` before the portal has started. */
  constructor(url: () => string, operatorToken: string) {
    this.#url = url;
    this.#operatorToken = operatorToken;
  }

  get url(): string {
    return this.#url();
  }

  /** As the portal: opens accounts, and issues keys of those that it opened. */
  get operator(): Api {
    return this.as(this.#operatorToken);
  }

  /** As the owner of a key. */
  as(key: string): Api {
    return createClient(endpoints, { baseUrl: this.#url(), key, timeoutMs: TIMEOUT_MS, attempts: ATTEMPTS });
  }
}

/**
 * Sends a call to the API, and gives the body of its 200.
 * @throws ApiError with the API's own status, code and words where it refused; Unavailable where it did not answer.
 */
export async function bodyOf<T>(sent: Promise<ApiAnswer<T>>): Promise<T> {
  const answer = await sent.catch((error: unknown) => {
    throw new Unavailable('The exchange does not answer; try again', { cause: error });
  });
  if (answer.status === 200) return answer.body;
  throw refusalOf(answer);
}

/** The error of an answer that is no 200. */
function refusalOf({ status, response }: ApiAnswer<unknown>): ApiError {
  const { code, error } = (response.body ?? {}) as { readonly code?: unknown; readonly error?: unknown };
  const retryAfter = response.headers.get('retry-after');
  const headers = retryAfter === null ? {} : { 'retry-after': retryAfter };
  if (!isErrorCode(code) || typeof error !== 'string') {
    return new ApiError('unavailable', 'The exchange does not answer; try again', ERRORS.unavailable.status, headers);
  }
  // A 401 here is about a key of the portal's, and a browser would take it for the end of its session.
  if (status === 401) return new ApiError('unavailable', 'The key of this account was revoked; try again');
  return new ApiError(code, error, status, headers);
}

/** Whether the API refused the key itself. */
export function isKeyRefused(answer: Pick<ApiAnswer<unknown>, 'status'>): boolean {
  return answer.status === 401;
}
