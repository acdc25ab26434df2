import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { backOffMs, nextPagePath, refusalOf, requestPath, retryAfterMs, sendApiRequest } from './api-request.ts';
import type { ApiRequest, ApiResponse } from './api-request.ts';
import type { Endpoint } from './endpoint.ts';

type Part<N extends string, S> = S extends z.ZodType
  ? Partial<z.input<S>> extends z.input<S>
    ? { readonly [K in N]?: z.input<S> }
    : { readonly [K in N]: z.input<S> }
  : unknown;

/** The request of a call to an endpoint. */
export type RequestOf<E> =
  E extends Endpoint<infer _A, infer P, infer Q, infer B>
    ? Part<'params', P> & Part<'query', Q> & Part<'body', B> & { readonly idempotencyKey?: string }
    : never;

/** An endpoint's answer with status 200. */
export type AnswerOf<E extends Endpoint> = z.output<E['answer']>;

/** An answer of the API. `T` is the body of a 200. */
export class ApiAnswer<T> {
  constructor(
    private readonly request: string,
    readonly response: ApiResponse,
  ) {}

  get status(): number {
    return this.response.status;
  }

  /** The pause in milliseconds that a 429 or a 503 demands; null for any other answer. */
  get waitMs(): number | null {
    return this.status === 429 || this.status === 503 ? (retryAfterMs(this.response) ?? 1000) : null;
  }

  /** The journal sequence that the answer is true at. */
  get seq(): number {
    return Number(this.response.headers.get('x-journal-seq'));
  }

  /** The body of a 200. @throws ApiRefusal for any other answer. */
  get body(): T {
    return this.assertOk().response.body as T;
  }

  /** @throws ApiRefusal unless this is a 200. */
  assertOk(): this {
    if (this.status !== 200) throw refusalOf(this.request, this.response);
    return this;
  }
}

type Arguments<R> = Partial<R> extends R ? [request?: R] : [request: R];

/** A method for each endpoint. Each throws where no whole answer comes, and gives every answer that does. */
export type ApiClient<M extends Readonly<Record<string, Endpoint>>> = {
  readonly [K in keyof M]: (...request: Arguments<RequestOf<M[K]>>) => Promise<ApiAnswer<AnswerOf<M[K]>>>;
} & {
  /**
   * Reads every item of a list, page by page, while `goesOn` returns true for a page.
   *
   * @throws ApiRefusal where a page has another status than 200.
   */
  readonly pages: <T>(
    first: Promise<ApiAnswer<readonly T[]>>,
    goesOn?: (page: readonly T[]) => boolean,
  ) => Promise<T[]>;
};

export interface ApiClientOptions {
  readonly baseUrl: string;
  /** An API key or an operator's token. */
  readonly key?: string;
  /** Ends the requests that are under way and the pauses between attempts, and refuses later ones, when it aborts. */
  readonly signal?: AbortSignal;
  /** How long a whole answer may take. */
  readonly timeoutMs?: number;
  /** The largest number of times that an unanswered request (no connection, 429, 503) is sent. Default: once. */
  readonly attempts?: number;
}

/** The longest pause between two attempts where the service names no time. */
const PAUSE_MS_MAX = 5_000;

/**
 * Creates a client of these endpoints. With `attempts`, each command carries an Idempotency-Key, so that an attempt
 * whose answer was lost is not decided again.
 */
export function createClient<const M extends Readonly<Record<string, Endpoint>>>(
  endpoints: M,
  options: ApiClientOptions,
): ApiClient<M> {
  const call =
    (endpoint: Endpoint) =>
    async (request: Sent = {}) =>
      new ApiAnswer(
        `${endpoint.method.toUpperCase()} ${endpoint.path}`,
        await send(options, requestTo(endpoint, request, options)),
      );
  const calls = Object.entries(endpoints).map(([id, endpoint]) => [id, call(endpoint)] as const);
  const pages = async <T>(
    first: Promise<ApiAnswer<readonly T[]>>,
    goesOn: (page: readonly T[]) => boolean = () => true,
  ) => {
    const found: T[] = [];
    for (let answer = await first; ;) {
      const page = answer.body;
      found.push(...page);
      const path = goesOn(page) ? nextPagePath(answer.response) : null;
      if (path === null) return found;
      answer = new ApiAnswer(`GET ${path}`, await send(options, { method: 'GET', path }));
    }
  };
  return Object.assign(Object.fromEntries(calls), { pages }) as unknown as ApiClient<M>;
}

interface Sent {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
}

function requestTo({ method, path, idempotent }: Endpoint, sent: Sent, { attempts = 1 }: ApiClientOptions): ApiRequest {
  return {
    method: method.toUpperCase(),
    path: requestPath(path, sent),
    body: sent.body,
    idempotencyKey: sent.idempotencyKey ?? (idempotent && attempts > 1 ? crypto.randomUUID() : undefined),
  };
}

async function send(
  { baseUrl, key, signal, timeoutMs, attempts = 1 }: ApiClientOptions,
  request: ApiRequest,
): Promise<ApiResponse> {
  for (let attempt = 1; ; attempt += 1) {
    let pauseMs = backOffMs(attempt, PAUSE_MS_MAX);
    try {
      const response = await sendApiRequest(baseUrl, { ...request, key, signal, timeoutMs });
      const isAnswered = response.status !== 429 && response.status !== 503;
      if (isAnswered || attempt >= attempts) return response;
      pauseMs = retryAfterMs(response) ?? pauseMs;
    } catch (error) {
      signal?.throwIfAborted();
      if (attempts === 1) throw error;
      if (attempt >= attempts) throw new Error(`${baseUrl} does not answer.`, { cause: error });
    }
    await sleep(pauseMs, undefined, { signal }).catch(() => signal?.throwIfAborted());
  }
}
