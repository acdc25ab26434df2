import { nextPagePath, retryAfterMs } from './api-request.ts';
import type { ApiResponse } from './api-request.ts';
import type { ApiRefusal } from './errors.ts';
import { refusalOf } from './refusal.ts';

/** The pause before another attempt, in ms, if a 429 or a 503 names none. */
const WAIT_MS = 1_000;

/** An answer of the API, with any status. `T` is the body of a 200. */
export class ApiAnswer<T> {
  readonly request: string;
  readonly response: ApiResponse;
  /** Whether an earlier attempt may have carried the command out. */
  readonly mayBeRepeat: boolean;
  readonly #body: unknown;

  /** Wraps a response. @param body the body of a 200; default: the response's, with lines of JSON as an array */
  constructor(request: string, response: ApiResponse, body: unknown = bodyOf(response), mayBeRepeat = false) {
    this.request = request;
    this.response = response;
    this.mayBeRepeat = mayBeRepeat;
    this.#body = body;
  }

  get status(): number {
    return this.response.status;
  }

  /** The body of a 200. @throws ApiRefusal for any other answer */
  get body(): T {
    return this.assertOk().#body as T;
  }

  /** The pause in ms that a 429 or a 503 demands; null for all other answers. */
  get waitMs(): number | null {
    return this.status === 429 || this.status === 503 ? (retryAfterMs(this.response) ?? WAIT_MS) : null;
  }

  get seq(): number {
    return Number(this.response.headers.get('x-journal-seq'));
  }

  /** The path of a list's next page; null for the last page. */
  get next(): string | null {
    return nextPagePath(this.response);
  }

  /** The `cursor` of a list's next page; null for the last page. */
  get nextCursor(): string | null {
    const path = this.next;
    return path === null ? null : new URL(path, 'http://api').searchParams.get('cursor');
  }

  /** The answer as an error, whatever its status. */
  get refusal(): ApiRefusal {
    return refusalOf(this.request, this.response);
  }

  /** Returns this answer. @throws ApiRefusal unless its status is 200 */
  assertOk(): this {
    if (this.status !== 200) throw this.refusal;
    return this;
  }
}

/** The body: parsed JSON or lines of JSON; anything else is text. */
function bodyOf({ body, headers, status, text }: ApiResponse): unknown {
  const isLines = status === 200 && headers.get('content-type')?.startsWith('application/x-ndjson') === true;
  return isLines
    ? text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown]))
    : (body ?? text);
}
