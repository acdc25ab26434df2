import type { RequestListener } from 'node:http';
import { sendError } from './answer.ts';
import type { ErrorAnswer } from './answer.ts';
import { toApiError } from './api-error.ts';
import { trustedProxies } from './call.ts';
import type { Call } from './call.ts';
import { observeRequests } from './observe-requests.ts';
import type { ObserverSettings } from './observe-requests.ts';
import { settleUnreadBody } from './request-input.ts';

export interface PipelineSettings extends ObserverSettings {
  /** Proxies whose X-Forwarded-For is trusted: addresses, subnets or names of proxy-addr (`loopback`). */
  readonly trustedProxies?: readonly string[];
  /** The secret of a relay in this process, whose X-Forwarded-For is trusted (`relayHeaders`). Default: no relay. */
  readonly relaySecret?: string;
  /** The answer to an error. Default: the API's answer, with the statuses of the call's endpoint. */
  readonly answerOf?: (error: unknown, call: Call) => ErrorAnswer;
}

/**
 * Creates what all listeners of a service share: ids, log and metrics of requests, and answers to failures. `listener`
 * answers when `serve` throws or rejects; `fail` answers failures outside of `serve`.
 */
export function createPipeline(settings: PipelineSettings) {
  const { logger, relaySecret = null } = settings;
  const proxies = trustedProxies(settings.trustedProxies ?? [], relaySecret);
  const { answerOf = (error, call) => toApiError(error, call.errorStatuses) } = settings;
  const observe = observeRequests(settings, proxies);
  const answerFailure = async (error: unknown, call: Call): Promise<void> => {
    const answer = answerOf(error, call);
    if (answer.code === 'internal') logger.error({ err: error, requestId: call.requestId });
    const { request, response } = call;
    if (!(await settleUnreadBody(request, response.shouldKeepAlive))) response.shouldKeepAlive = false;
    sendError(call, answer);
  };
  const fail = (error: unknown, call: Call): void => {
    if (call.response.closed && isOfClosing(error)) {
      logger.debug({ err: error, requestId: call.requestId }, 'the client has gone');
      return;
    }
    answerFailure(error, call).catch(() => call.response.destroy());
  };
  return {
    fail,
    listener:
      (serve: (call: Call) => void | Promise<void>): RequestListener =>
      (request, response) => {
        const call = observe(request, response);
        try {
          serve(call)?.catch((error: unknown) => fail(error, call));
        } catch (error) {
          fail(error, call);
        }
      },
  };
}

function isOfClosing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'AbortError' || (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE';
}
