import { nextPagePath } from 'paper-trading-client';
import type { ReadAnswer } from '../../../src/pages/read-answer.ts';
import { readCallError, toCallError } from '../../base/call-error.ts';

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface PortalCallOptions extends CallOptions {
  readonly idempotencyKey?: string;
}

/**
 * Reads an answer of the API; a private one through `/portal/as/…`.
 * @throws CallError for every status other than 200, and when no answer comes
 */
export async function apiGet<T>(path: string, { signal }: CallOptions = {}): Promise<ReadAnswer<T>> {
  const response = await send(path, { headers: { accept: 'application/json' }, signal: signal ?? null });
  const body = await read<T>(response);
  return { body, seq: Number(response.headers.get('x-journal-seq')), next: nextPagePath(response) };
}

/** An answer with its headers, which contain the receipt of a command. */
export interface PortalReply<T> {
  readonly body: T;
  readonly headers: Headers;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Calls the portal; an answer without a body gives null.
 * @throws CallError for every answer other than a success, and when no answer comes
 */
export async function portalCall<T>(
  method: Method,
  path: `/portal/${string}`,
  body?: unknown,
  options: PortalCallOptions = {},
): Promise<T> {
  return (await portalSend<T>(method, path, body, options)).body;
}

/** `portalCall` with the answer's headers. */
export async function portalSend<T>(
  method: Method,
  path: `/portal/${string}`,
  body?: unknown,
  { signal, idempotencyKey }: PortalCallOptions = {},
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
