import { randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import type { Level, Logger } from 'pino';
import type { Counter, Histogram } from 'prom-client';
import type { Metrics } from './metrics.ts';

const PATTERN = 'routePattern';
const STREAM = 'isStream';

/** Notes which route a request took: metrics are labelled by pattern, never by URL. */
export function setPattern(response: Response, pattern: string): void {
  response.locals[PATTERN] = pattern;
}

/** Notes that the answer goes on until the client leaves: then that is no failure, and its time tells nothing. */
export function noteStream(response: Response): void {
  response.locals[STREAM] = true;
}

/**
 * Gives each request an id (the client's X-Request-Id where it is a sane one) and, when it has ended, a line in the log
 * and a count in the metrics. The log holds no header, no query and no body: a key may be in any of them.
 */
export function observeRequest(logger: Logger, metrics: Metrics): (request: Request, response: Response) => void {
  const total = metrics.counter('http_requests_total', 'Requests answered', ['route', 'method', 'status']);
  const duration = metrics.histogram('http_request_duration_seconds', 'Time to answer', ['route', 'method', 'status']);
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
  return (request, response) => {
    const startedAt = performance.now();
    const given = request.headers['x-request-id'];
    const requestId = typeof given === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : randomUUID();
    response.setHeader('x-request-id', requestId);
    const { path } = request;
    response.once('close', () => {
      const seconds = (performance.now() - startedAt) / 1_000;
      const pattern: unknown = response.locals[PATTERN];
      const route = typeof pattern === 'string' ? pattern : 'none';
      const isStream = response.locals[STREAM] === true;
      const answered = response.writableFinished || isStream || response.statusCode !== 200;
      // 499, as elsewhere: the client went away before it was answered.
      const status = answered ? response.statusCode : 499;
      const counted = childrenOf(route, request.method, status);
      counted.total.inc();
      if (!isStream) counted.duration.observe(seconds);
      const level = levelOf(status);
      if (!logger.isLevelEnabled(level)) return;
      const ms = Math.round(seconds * 1e6) / 1e3;
      logger[level]({ requestId, method: request.method, path, route, status, ms, address: request.ip });
    });
  };
}

/** What went right is of interest to who looks for it; what we could not do is of interest to who runs this. */
function levelOf(status: number): Level {
  if (status === 408 || status === 429 || status === 503) return 'warn';
  if (status >= 500) return 'error';
  return status >= 400 ? 'info' : 'debug';
}
