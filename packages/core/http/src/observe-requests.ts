import type { IncomingMessage, ServerResponse } from 'node:http';
import { randomUUID } from 'node:crypto';
import type { Level, Logger } from 'pino';
import type { Metrics } from '@paper/runtime';
import { NO_ROUTE, pathOf } from './call.ts';
import type { Call, TrustedProxies } from './call.ts';
import { allowsCrossOrigin, CROSS_ORIGIN_HEADERS } from './cross-origin.ts';
import { RefusalLog } from './refusal-log.ts';
import { announceClose, closeRefused } from './refused-connections.ts';
import { RequestCounts } from './request-counts.ts';
import { apiHeaders } from './security-headers.ts';

export interface ObserverSettings {
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** The prefix of the metrics' names, for a process with several pipelines. Default: http. */
  readonly metricsPrefix?: string;
  /** The setting ACCESS_LOG. Default: false. */
  readonly accessLog?: boolean;
}

/**
 * Gives each request an id and, when it has ended, a line in the log and a count in the metrics. Refused requests share
 * lines (RefusalLog). The log holds no header, query or body, since a key may be in any of them, nor a key in a path.
 * With the access log each request has a line of its own, at level info at least.
 */
export function observeRequests(
  { accessLog = false, logger, metrics, metricsPrefix = 'http' }: ObserverSettings,
  proxies: TrustedProxies,
): (request: IncomingMessage, response: ServerResponse) => Call {
  const counts = new RequestCounts(metrics, metricsPrefix);
  const access = accessLog ? logger.child({}, { level: 'info' }) : null;
  const refusals = new RefusalLog(logger);
  const sameOrigin = apiHeaders();
  const anyOrigin = [...sameOrigin, ...CROSS_ORIGIN_HEADERS];
  const ended = ({ request, response, requestId, address, pattern, isStream }: Call, seconds: number): void => {
    const { method = 'GET' } = request;
    const answered = response.writableFinished || isStream || response.statusCode !== 200;
    // As in nginx, status 499 says that the client disconnected before it was answered.
    const status = answered ? response.statusCode : 499;
    counts.add(pattern, method, status, isStream ? null : seconds);
    closeRefused(request, status, proxies);
    const level = levelOf(status);
    if (access === null && !logger.isLevelEnabled(level)) return;
    const line = () => ({
      requestId,
      method,
      path: pathOf(request).replace(KEYS, '[secret]'),
      route: pattern,
      status,
      ms: Math.round(seconds * 1e6) / 1e3,
      address,
    });
    if (access !== null) access[level === 'debug' ? 'info' : level](line());
    else if (isRefusal(status)) refusals.add(level, pattern, status, line);
    else logger[level](line());
  };
  return (request, response) => {
    const startedMs = performance.now();
    const given = request.headers['x-request-id'];
    const call: Call = {
      request,
      response,
      requestId: typeof given === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : randomUUID(),
      startedMs,
      address: proxies.clientOf(request),
      pattern: NO_ROUTE,
      errorStatuses: {},
      isPrivate: false,
      variesByKey: false,
      isFresh: false,
      isStream: false,
      verdict: null,
      securityHeaders: allowsCrossOrigin(pathOf(request)) ? anyOrigin : sameOrigin,
    };
    announceClose(request, response, proxies);
    response.once('close', () => ended(call, (performance.now() - startedMs) / 1_000));
    return call;
  };
}

const KEYS = /svc_live_[\w-]*/g;

/** Whether the request was refused, or given up by its client, without a fault of this service. */
function isRefusal(status: number): boolean {
  return (status >= 400 && status < 500) || status === 503;
}

/** The log level: debug for successes, higher for failures that an operator should see. */
function levelOf(status: number): Level {
  if (status === 408 || status === 429 || status === 503) return 'warn';
  if (status >= 500) return 'error';
  return status >= 400 ? 'info' : 'debug';
}
