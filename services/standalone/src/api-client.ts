import type { ErrorCode } from '@paper/contracts';

/** A refusal of the API. */
export class Refused extends Error {
  override readonly name = 'Refused';
  constructor(
    readonly status: number,
    readonly code: ErrorCode,
    message: string,
  ) {
    super(message);
  }
}

export interface ApiRequest {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly token?: string;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
}

/** Sends one request of the public API to this process's own service, as any client would. */
export type ApiClient = <T>(request: ApiRequest) => Promise<T>;

export function createApiClient(baseUrl: string): ApiClient {
  return async <T>({ method = 'GET', path, token, body, idempotencyKey }: ApiRequest): Promise<T> => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    if (response.ok) return answer as T;
    const { error, code } = answer as { error: string; code: ErrorCode };
    throw new Refused(response.status, code, `${method} ${path}: ${error}`);
  };
}
