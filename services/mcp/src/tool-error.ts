import { ERRORS, isErrorCode } from '@paper/contracts';
import type { ApiAnswer, ErrorCode } from '@paper/contracts';

/** Codes of tools beside those of the API: when each is given, and what to do next. */
export const TOOL_ERRORS = {
  confirmation_invalid: {
    when: 'the text to confirm was changed, or another service signed it',
    remedy: 'Pass the text exactly as prepare_order gave it, or prepare the order again.',
  },
  confirmation_expired: {
    when: 'the text to confirm is older than five minutes and was not confirmed, or is older than 23 hours',
    remedy: 'Prepare the order again. Of a text that is older than 23 hours look at list_orders first.',
  },
  nothing_to_confirm: {
    when: 'nothing of the order would fill or rest now',
    remedy: 'Change the price, or wait: get_order_book shows what can be traded.',
  },
} as const;

export type ToolErrorCode = ErrorCode | keyof typeof TOOL_ERRORS;

/** The failure of a tool: becomes a result with `isError`, whose text has the code, the message and the remedy. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  constructor(
    readonly code: ToolErrorCode,
    message: string,
    /** Seconds after which the same call may succeed; null where waiting does not help. */
    readonly retryAfterSeconds: number | null = null,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  get remedy(): string {
    return isErrorCode(this.code) ? ERRORS[this.code].remedy : TOOL_ERRORS[this.code].remedy;
  }
}

const NO_ANSWER = 'The exchange does not answer; try again';

/**
 * Sends a call to the API, and gives its answer with status 200.
 *
 * @throws ToolError with the API's own code and text where it refused, `unavailable` where it did not answer.
 */
export async function answered<T>(sent: Promise<ApiAnswer<T>>): Promise<ApiAnswer<T>> {
  const answer = await sent.catch((error: unknown) => {
    throw new ToolError('unavailable', NO_ANSWER, 1, { cause: error });
  });
  if (answer.status === 200) return answer;
  throw refusalOf(answer);
}

function refusalOf({ response, waitMs }: ApiAnswer<unknown>): ToolError {
  const { code, error } = (response.body ?? {}) as { readonly code?: unknown; readonly error?: unknown };
  const retryAfterSeconds = waitMs === null ? null : Math.ceil(waitMs / 1_000);
  // A proxy in front of the API answered.
  if (!isErrorCode(code) || typeof error !== 'string') return new ToolError('unavailable', NO_ANSWER, 1);
  return new ToolError(code, error, retryAfterSeconds);
}
