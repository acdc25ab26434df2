/** The event that `sessionRefusals` dispatches when the service refuses a call for lack of a session. */
export const REFUSED = 'refused';
export const sessionRefusals = new EventTarget();

/** The error of a failed call, in the service's own words. */
export class CallError extends Error {
  override readonly name = 'CallError';

  /** `code`: that of the service's answer, or `unreachable` without a whole answer. `status`: 0 without an answer. */
  constructor(
    readonly code: string,
    message: string,
    readonly status: number,
    readonly retryAfterMs: number | null = null,
  ) {
    super(message);
  }

  /** Whether the same call may succeed later. */
  get isTransient(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/** Converts an error; an AbortError and a failed fetch become `unreachable`. */
export function toCallError(error: unknown): CallError {
  if (error instanceof CallError) return error;
  return new CallError('unreachable', 'The service does not answer. Check the connection; the page tries again.', 0);
}

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
