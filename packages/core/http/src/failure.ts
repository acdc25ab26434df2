import type { Logger } from 'pino';
import { sendError } from './answer.ts';
import type { ErrorAnswer } from './answer.ts';
import type { Call } from './call.ts';
import { settleUnreadBody } from './request-input.ts';

/**
 * Answers a call that failed, and logs the error if the service is at fault. First it settles the unread rest of the
 * request's body.
 */
export async function answerFailure(answer: ErrorAnswer, error: unknown, call: Call, logger: Logger): Promise<void> {
  if (answer.code === 'internal') logger.error({ err: error, requestId: call.requestId });
  const { request, response } = call;
  if (!(await settleUnreadBody(request, response.shouldKeepAlive))) response.shouldKeepAlive = false;
  sendError(call, answer);
}
