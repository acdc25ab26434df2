/** An HTTP request to the API. */
export interface ApiRequest {
  /** Upper case. */
  readonly method: string;
  /** The path relative to the base URL, with its query. */
  readonly path: string;
  /** An API key or an operator's token. */
  readonly key?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged with the content type of JSON, instead of `body`. */
  readonly text?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Ends the request when it aborts. */
  readonly signal?: AbortSignal | undefined;
  /** How long the whole answer may take. Default: 60,000. */
  readonly timeoutMs?: number | undefined;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The answer's text parsed as JSON; undefined where it is not JSON. */
  readonly body: unknown;
}

const TIMEOUT_MS = 60_000;
/** The path of a backtest; what stands before is that of the service. */
const BACKTEST = /^.*\/backtest\/[^/]+/;

/**
 * Sends one request as it is and reads its whole answer, over connections that are reused. It repeats nothing: a client's
 * `call` does, and its `request` sends an operation by its id.
 *
 * @throws Error where no whole answer comes: no connection, a lost one, out of time, aborted.
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
  return { status: response.status, headers: response.headers, text, body: isJson ? parsed(text) : undefined };
}

/** The address that the API's paths follow: an origin, with the path of a backtest where it is one. */
export function addressOf(baseUrl: string): string {
  const { origin, pathname } = new URL(baseUrl);
  return `${origin}${BACKTEST.exec(pathname)?.[0] ?? ''}`;
}

/** True for the address of a backtest, whose clock waits for its participants. */
export function isBacktest(baseUrl: string): boolean {
  return BACKTEST.test(new URL(baseUrl).pathname);
}

function parsed(text: string): unknown {
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

/** The pause that an answer demands of its client, in milliseconds; null where it names none. */
export function retryAfterMs({ headers }: Pick<ApiResponse, 'headers'>): number | null {
  const seconds = Number(headers.get('retry-after') ?? NaN);
  return Number.isFinite(seconds) ? seconds * 1000 : null;
}

/** The path of a list's next page; null on the last one. */
export function nextPagePath({ headers }: Pick<ApiResponse, 'headers'>): string | null {
  return /<([^>]+)>;\s*rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? null;
}

/** The pause before another attempt, in milliseconds: 200 after the first, then twice as long each time. */
export function backOffMs(attempt: number, maxMs: number): number {
  return Math.min(maxMs, 100 * 2 ** attempt);
}
