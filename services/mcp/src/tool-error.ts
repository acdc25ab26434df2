import { ERRORS, isErrorCode } from '@paper/contracts';
import type { ErrorCode } from '@paper/contracts';
import { refusalIn } from 'paper-trading-client';

/** Codes of tools in addition to those of the API: when each is given, and what to do next. */
export const TOOL_ERRORS = {
  confirmation_invalid: {
    when: 'the text to confirm was changed, or another service signed it',
    remedy: 'Pass the text exactly as the tool that prepared it gave it, or prepare again.',
  },
  confirmation_expired: {
    when: 'the text to confirm is older than five minutes and was not confirmed, or is older than 23 hours or an update',
    remedy: 'Prepare again. Of a text that is older than 23 hours or an update look at list_orders first.',
  },
  nothing_to_confirm: {
    when: 'nothing of the order would fill or rest now',
    remedy: 'Change the price, or wait: get_order_book shows what can be traded.',
  },
} as const;

type ToolErrorCode = ErrorCode | keyof typeof TOOL_ERRORS;

/** The failure of a tool: becomes a result with `isError`, whose text has the code, the message and the remedy. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  constructor(
    readonly code: ToolErrorCode,
    message: string,
    /** The seconds after which the same call may succeed; null if waiting does not help. */
    readonly retryAfterSeconds: number | null = null,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  get remedy(): string {
    return isErrorCode(this.code) ? ERRORS[this.code].remedy : TOOL_ERRORS[this.code].remedy;
  }

  /** The failure of a part of a call, which the text names. */
  ofPart(part: string): ToolError {
    return new ToolError(this.code, `${part}: ${this.message}`, this.retryAfterSeconds, { cause: this });
  }

  get body(): object {
    const { code, message, remedy, retryAfterSeconds } = this;
    return { error: message, code, remedy, ...(retryAfterSeconds === null ? {} : { retryAfterSeconds }) };
  }
}

const WAIT_SECONDS = 1;

/** The answer of a call. @throws ToolError with the API's code and text, or `unavailable` without an answer. */
export async function answerOrToolError<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw toToolError(error);
  }
}

function toToolError(error: unknown): ToolError {
  const refusal = refusalIn(error);
  // There was no answer, or a proxy in front of the API answered.
  if (refusal === null || !isErrorCode(refusal.code)) {
    return new ToolError('unavailable', 'The exchange does not answer; try again', WAIT_SECONDS, { cause: error });
  }
  const { code, message, retryAfterMs, status } = refusal;
  const seconds = retryAfterMs === null ? WAIT_SECONDS : Math.ceil(retryAfterMs / 1_000);
  return new ToolError(code, message, status === 429 || status === 503 ? seconds : null);
}
