/** An answer of the public API. */
export interface ApiAnswer {
  readonly status: number;
  readonly body: unknown;
  /** The next page of a list; null on the last one. */
  readonly next: string | null;
  /** The answer's Retry-After in ms; null without one. */
  readonly waitMs: number | null;
}

export interface ApiClient {
  /** Sends one request. Throws when there is no answer, or when the client is closed. */
  request(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<ApiAnswer>;
  /**
   * Reads all pages of a list, for as long as `goOn` returns true for a page. Null where a page is not answered with
   * 200.
   */
  list<T>(path: string, goOn?: (page: readonly T[]) => boolean): Promise<T[] | null>;
}

const TIMEOUT_MS = 10_000;

/** A client of the public API with one account's key. Aborting `closed` ends requests that are under way. */
export function createApiClient(baseUrl: string, key: string, closed: AbortSignal): ApiClient {
  const request: ApiClient['request'] = async (method, path, body) => {
    const response = await fetch(new URL(path, baseUrl), {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.any([closed, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    const { status, headers } = response;
    const retryAfterS = Number(headers.get('retry-after') ?? NaN);
    return {
      status,
      body: await response.json(),
      next: /<([^>]+)>;\s*rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? null,
      waitMs: status === 429 || status === 503 ? (Number.isFinite(retryAfterS) ? retryAfterS * 1000 : 1000) : null,
    };
  };

  return {
    request,
    async list<T>(path: string, goOn: (page: readonly T[]) => boolean = () => true): Promise<T[] | null> {
      const found: T[] = [];
      for (let next: string | null = path; next !== null;) {
        const answer = await request('GET', next);
        if (answer.status !== 200) return null;
        const page = answer.body as readonly T[];
        found.push(...page);
        next = goOn(page) ? answer.next : null;
      }
      return found;
    },
  };
}
