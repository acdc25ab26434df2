import type { RequestListener } from 'node:http';
import type { ErrorAnswer } from './answer.ts';
import { toApiError } from './api-error.ts';
import { trustedProxies } from './call.ts';
import type { Call } from './call.ts';
import { answerFailure } from './failure.ts';
import { observeRequests } from './observe-requests.ts';
import type { ObserverSettings } from './observe-requests.ts';

export interface PipelineSettings extends ObserverSettings {
  /** Proxies whose X-Forwarded-For is trusted: addresses, subnets or names of proxy-addr (`loopback`). Default: none. */
  readonly trustedProxies?: readonly string[];
  /**
   * The secret of a relay in this process, whose X-Forwarded-For is then trusted (`relayHeaders`). Default: no relay.
   */
  readonly relaySecret?: string;
  /** The answer to an error. Default: the API's answer, with the statuses of the call's endpoint. */
  readonly answerOf?: (error: unknown, call: Call) => ErrorAnswer;
}

/** The handling of requests that all services share, whatever their routes are. */
export interface Pipeline {
  /** Observes each request, and answers when `serve` throws or rejects. */
  readonly listener: (serve: (call: Call) => void | Promise<void>) => RequestListener;
  /** Answers a call whose work failed outside of `serve`. */
  readonly fail: (error: unknown, call: Call) => void;
}

/** Creates what the listeners of a service have in common: ids, log and metrics of requests, and answers to failures. */
export function createPipeline(settings: PipelineSettings): Pipeline {
  const { logger, relaySecret = null } = settings;
  const proxies = trustedProxies(settings.trustedProxies ?? [], relaySecret);
  const { answerOf = (error, call) => toApiError(error, call.errorStatuses) } = settings;
  const observe = observeRequests(settings, proxies);
  const fail = (error: unknown, call: Call): void => {
    if (call.response.closed && isOfClosing(error)) {
      logger.debug({ err: error, requestId: call.requestId }, 'the client has gone');
      return;
    }
    answerFailure(answerOf(error, call), error, call, logger).catch(() => call.response.destroy());
  };
  return {
    fail,
    listener: (serve) => (request, response) => {
      const call = observe(request, response);
      try {
        serve(call)?.catch((error: unknown) => fail(error, call));
      } catch (error) {
        fail(error, call);
      }
    },
  };
}

/** Whether the work failed because its client has disconnected. */
function isOfClosing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'AbortError' || (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE';
}
