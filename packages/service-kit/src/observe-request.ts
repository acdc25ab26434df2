import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Level, Logger } from 'pino';
import type { Counter, Histogram } from 'prom-client';
import { NO_ROUTE } from './call.ts';
import type { Call, AddressOf } from './call.ts';
import type { Metrics } from './metrics.ts';
import { pathOf } from './request-input.ts';
import { apiHeaders } from './security-headers.ts';

/**
 * Gives each request an id and, when it has ended, a line in the log and a count in the metrics. The log holds no
 * header, no query and no body: a key may be in any of them. One in a path, where an id was to be, is left out.
 */
export function observeRequests(
  logger: Logger,
  metrics: Metrics,
  addressOf: AddressOf,
): (request: IncomingMessage, response: ServerResponse) => Call {
  const total = metrics.counter('http_requests_total', 'Requests answered', ['route', 'method', 'status']);
  const duration = metrics.histogram('http_request_duration_seconds', 'Time to answer', ['route', 'method', 'status']);
  const securityHeaders = apiHeaders();
  // Found by their labels once: there are as many as patterns, methods and statuses, and clients can invent none.
  const children = new Map<string, { total: Counter.Internal; duration: Histogram.Internal<string> }>();
  const childrenOf = (route: string, method: string, status: number) => {
    const key = `${method} ${status} ${route}`;
    const known = children.get(key);
    if (known !== undefined) return known;
    const labels = { route, method, status: String(status) };
    const made = { total: total.labels(labels), duration: duration.labels(labels) };
    children.set(key, made);
    return made;
  };
  const ended = ({ request, response, requestId, address, pattern, isStream }: Call, seconds: number): void => {
    const { method = 'GET' } = request;
    const answered = response.writableFinished || isStream || response.statusCode !== 200;
    // Status 499, as in nginx: the client disconnected before it was answered.
    const status = answered ? response.statusCode : 499;
    const counted = childrenOf(pattern, method, status);
    counted.total.inc();
    if (!isStream) counted.duration.observe(seconds);
    const level = levelOf(status);
    if (!logger.isLevelEnabled(level)) return;
    const ms = Math.round(seconds * 1e6) / 1e3;
    logger[level]({
      requestId,
      method,
      path: pathOf(request).replace(KEYS, '[secret]'),
      route: pattern,
      status,
      ms,
      address,
    });
  };
  return (request, response) => {
    const startedAt = performance.now();
    const given = request.headers['x-request-id'];
    const call: Call = {
      request,
      response,
      requestId: typeof given === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : randomUUID(),
      address: addressOf(request),
      pattern: NO_ROUTE,
      errorStatuses: {},
      isPrivate: false,
      isStream: false,
      verdict: null,
      securityHeaders,
    };
    response.once('close', () => ended(call, (performance.now() - startedAt) / 1_000));
    return call;
  };
}

/** Raw keys in a text, which must not be logged. */
const KEYS = /svc_live_[\w-]*/g;

/** The log level: debug for successes, more for failures that an operator should see. */
function levelOf(status: number): Level {
  if (status === 408 || status === 429 || status === 503) return 'warn';
  if (status >= 500) return 'error';
  return status >= 400 ? 'info' : 'debug';
}
