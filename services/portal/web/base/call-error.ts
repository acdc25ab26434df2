import { REFUSED, sessionRefusals } from './session-refusals.ts';

/** A call that failed, in the service's own words. */
export class CallError extends Error {
  override readonly name = 'CallError';

  /**
   * @param code the service's code, or `unreachable` where no whole answer came
   * @param status the HTTP status; 0 where no answer came
   * @param retryAfterMs how long the service asks to wait; null: it does not
   */
  constructor(
    readonly code: string,
    message: string,
    readonly status: number,
    readonly retryAfterMs: number | null = null,
  ) {
    super(message);
  }
}

/** The error as a CallError; an AbortError and a failed fetch become `unreachable`. */
export function toCallError(error: unknown): CallError {
  if (error instanceof CallError) return error;
  return new CallError('unreachable', 'The service does not answer. Check the connection; the page tries again.', 0);
}

/** The error that an answer other than a success carries. */
export async function readCallError(response: Response): Promise<CallError> {
  const { error, code } = await bodyOf(response);
  if (code === 'not_signed_in') sessionRefusals.dispatchEvent(new Event(REFUSED));
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new CallError(
    code ?? 'internal',
    error ?? `The service answered ${response.status} without a reason.`,
    response.status,
    Number.isFinite(seconds) ? seconds * 1000 : null,
  );
}

async function bodyOf(response: Response): Promise<{ readonly error?: string; readonly code?: string }> {
  try {
    const body = (await response.json()) as unknown;
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    return {};
  }
}
