import { retryAfterMs } from './api-request.ts';
import type { ApiResponse } from './api-request.ts';
import { ApiRefusal } from './errors.ts';
import { REFUSALS } from './generated/errors.ts';
import type { ErrorCode } from './generated/errors.ts';

/** The error of an answer that is no 200. `request` is `METHOD path`. */
export function refusalOf(request: string, { body, headers, status, text }: ApiResponse): ApiRefusal {
  const { code, error } = (body ?? {}) as { readonly code?: unknown; readonly error?: unknown };
  return refusalBy(request, status, code, typeof error === 'string' ? error : text, retryAfterMs({ headers }));
}

/** The error of a code, also for an item of a batch, which has no status of its own. */
export function refusalBy(
  request: string,
  status: number,
  code: unknown,
  text: string,
  afterMs: number | null = null,
): ApiRefusal {
  const known = typeof code === 'string' && Object.hasOwn(REFUSALS, code) ? (code as ErrorCode) : null;
  const Refusal = known === null ? ApiRefusal : REFUSALS[known];
  return new Refusal(request, status, typeof code === 'string' ? code : null, text, afterMs);
}
