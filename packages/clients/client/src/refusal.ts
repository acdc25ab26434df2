import { retryAfterMs } from './api-request.ts';
import type { ApiResponse } from './api-request.ts';
import { ApiRefusal } from './errors.ts';
import { REFUSALS } from './generated/errors.ts';
import type { ErrorCode } from './generated/errors.ts';

/** The error for an answer that is not a 200. `request` is `METHOD path`. */
export function refusalOf(request: string, { body, headers, status, text }: ApiResponse): ApiRefusal {
  const { code, error } = (body ?? {}) as { readonly code?: unknown; readonly error?: unknown };
  return refusalBy(request, status, code, typeof error === 'string' ? error : text, retryAfterMs({ headers }));
}

/** The error for a code of an answer, or of an item of a batch. */
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
