/** An HTTP request to the API. */
export interface ApiRequest {
  readonly method: string;
  /** The path relative to the base URL, with its query. */
  readonly path: string;
  readonly key?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly body?: unknown;
  /** A text that is sent unchanged with the content type of JSON, instead of `body`. */
  readonly text?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The time limit for the whole answer, in ms. Default: 60,000. */
  readonly timeoutMs?: number | undefined;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The answer's text parsed as JSON; undefined if it is not JSON. */
  readonly body: unknown;
}

const TIMEOUT_MS = 60_000;
/** Matches the path of a backtest; what precedes it belongs to the service. */
const BACKTEST = /^.*\/backtest\/[^/]+/;

/**
 * Sends one request as it is, over reused connections, and repeats nothing. A client's `request` sends an operation by
 * its id. @throws Error when no whole answer comes: no connection, a lost one, out of time, aborted.
 */
export async function sendApiRequest(baseUrl: string, request: ApiRequest): Promise<ApiResponse> {
  const { method, path, key, idempotencyKey, body, signal, timeoutMs = TIMEOUT_MS } = request;
  const sent = request.text ?? (body === undefined ? undefined : JSON.stringify(body));
  const timeLimit = AbortSignal.timeout(timeoutMs);
  const response = await fetch(`${addressOf(baseUrl)}${path}`, {
    method,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      ...request.headers,
    },
    ...(sent === undefined ? {} : { body: sent }),
    signal: signal === undefined ? timeLimit : AbortSignal.any([signal, timeLimit]),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  return { status: response.status, headers: response.headers, text, body: isJson ? parsedJson(text) : undefined };
}

/** The address to which the API's paths are appended: an origin, followed by the path of a backtest if there is one. */
export function addressOf(baseUrl: string): string {
  const { origin, pathname } = new URL(baseUrl);
  return `${origin}${BACKTEST.exec(pathname)?.[0] ?? ''}`;
}

/** Whether the address is that of a backtest, whose clock waits for its participants. */
export function isBacktest(baseUrl: string): boolean {
  return BACKTEST.test(new URL(baseUrl).pathname);
}

/** The value of a JSON text; undefined for any other text. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A path with its query; undefined parameters are left out. */
export function pathWithQuery(path: string, query: Readonly<Record<string, unknown>> = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString();
  return text === '' ? path : `${path}?${text}`;
}

/** The pause that an answer demands of its client, in milliseconds; null if it names none. */
export function retryAfterMs({ headers }: Pick<ApiResponse, 'headers'>): number | null {
  const seconds = Number(headers.get('retry-after') ?? NaN);
  return Number.isFinite(seconds) ? seconds * 1000 : null;
}

/** The path of a list's next page; null for the last page. */
export function nextPagePath({ headers }: Pick<ApiResponse, 'headers'>): string | null {
  return /<([^>]+)>;\s*rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? null;
}

/** The pause before another attempt, in milliseconds: 200 after the first, then twice as long each time. */
export function backOffMs(attempt: number, maxMs: number): number {
  return Math.min(maxMs, 100 * 2 ** attempt);
}
