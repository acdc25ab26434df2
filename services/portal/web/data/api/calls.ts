import { nextPagePath } from 'paper-trading-client';
import type { ReadAnswer } from '../../../src/pages/read-answer.ts';
import { readCallError, toCallError } from '../../base/call-error.ts';

type CallOptions = Readonly<{ signal?: AbortSignal | undefined; idempotencyKey?: string }>;

/** An answer of the API; a private one through `/portal/as/…`. Throws CallError for every status other than 200. */
export async function apiGet<T>(path: string, { signal }: Pick<CallOptions, 'signal'> = {}): Promise<ReadAnswer<T>> {
  const response = await send(path, { headers: { accept: 'application/json' }, signal: signal ?? null });
  const body = await read<T>(response);
  return { body, seq: Number(response.headers.get('x-journal-seq')), next: nextPagePath(response) };
}

export type PortalReply<T> = Readonly<{ body: T; headers: Headers }>;

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Calls the portal; an answer without a body gives null. Throws CallError for every answer other than a success. */
export async function portalSend<T>(
  method: Method,
  path: `/portal/${string}`,
  body?: unknown,
  { signal, idempotencyKey }: CallOptions = {},
): Promise<PortalReply<T>> {
  const response = await send(path, {
    method,
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    },
    body: body === undefined ? null : JSON.stringify(body),
    // The browser completes an order even if the person leaves the page.
    keepalive: idempotencyKey !== undefined,
    signal: signal ?? null,
  });
  return { body: await read<T>(response), headers: response.headers };
}

export async function portalCall<T>(...call: Parameters<typeof portalSend>): Promise<T> {
  return (await portalSend<T>(...call)).body;
}

/** Whether the caller itself aborted the call. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

async function send(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, { ...init, credentials: 'same-origin', redirect: 'error' });
  } catch (error) {
    throw isAbort(error) ? error : toCallError(error);
  }
}

async function read<T>(response: Response): Promise<T> {
  if (!response.ok) throw await readCallError(response);
  try {
    const text = await response.text();
    return (text === '' ? null : JSON.parse(text)) as T;
  } catch (error) {
    throw isAbort(error) ? error : toCallError(error);
  }
}
