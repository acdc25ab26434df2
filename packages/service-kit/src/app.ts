import { type Answer, ApiError, type Endpoint } from '@paper/contracts';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import type { Logger } from 'pino';
import { type AdmissionSettings, admit, limitUnrouted } from './admission.ts';
import { sendAnswer, sendError, toApiError } from './answer.ts';
import { settleUnreadBody } from './body.ts';
import { directly } from './direct-routes.ts';
import { beginStream } from './event-stream.ts';
import type { Metrics } from './metrics.ts';
import { observeRequest, setPattern } from './observe-request.ts';
import type { Operators } from './operators.ts';
import { type Page, servePage } from './page.ts';
import { type RateLimiter, rateLimitHeaders } from './rate-limit.ts';
import { sendReadyMade } from './ready-made.ts';
import { readInput } from './request-input.ts';
import type { Route, StreamRoute } from './route.ts';
import { securityHeaders } from './security-headers.ts';
import { within } from './within.ts';

type AnyRoute = Route | StreamRoute;

/** What an app is made of. */
export interface AppSettings {
  /** Of all sides that one process serves; no method and path twice. */
  readonly routes: readonly AnyRoute[];
  /** For browsers, beside the API: limited as reads of their address. Default: none. */
  readonly pages?: readonly Page[];
  readonly operators: Operators;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Null turns the limits off (RATE_LIMITS=off). */
  readonly rateLimiter: RateLimiter | null;
  /** Addresses, subnets or the names that Express knows (`loopback`) whose X-Forwarded-For is believed. Default: none. */
  readonly trustedProxies?: readonly string[];
  /** In tests: an answer that does not fit its endpoint's schema is a 500. */
  readonly validateAnswers?: boolean;
  /** A handler that takes longer is answered 503 for. Default 10,000. */
  readonly handlerMs?: number;
}

/**
 * One app over all routes, doing generically everything of http-rules that is no endpoint's own: route and method, who
 * calls, how often, whether they may, the form of what they send; then the handler; then headers, errors, log, metrics.
 */
export function createApp(settings: AppSettings): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.enable('case sensitive routing');
  app.enable('strict routing');
  const trusted = settings.trustedProxies ?? [];
  app.set('trust proxy', trusted.length === 0 ? false : [...trusted]);

  const observe = observeRequest(settings.logger, settings.metrics);
  const headers = securityHeaders();
  const direct = directly(settings.routes, (one) => serve(one, settings));
  // One step, where each more would cost Express a walk of its own.
  app.use((request: Request, response: Response, next: NextFunction) => {
    observe(request, response);
    for (const [name, value] of headers) response.setHeader(name, value);
    assertHost(request);
    return direct(request, response, next);
  });
  for (const [path, routes] of byPath(settings.routes)) {
    const mounted = app.route(path.replaceAll(/\{(\w+)\}/g, ':$1'));
    for (const one of routes) mounted[one.endpoint.method](serve(one, settings));
    mounted.all(
      refuseMethod(
        path,
        routes.map(({ endpoint: { method } }) => method),
        settings,
      ),
    );
  }
  for (const page of settings.pages ?? []) {
    const send = servePage(page);
    const mounted = app.route(page.path);
    mounted.get((request: Request, response: Response) => {
      setPattern(response, page.path);
      limitUnrouted(request, admission(settings, response));
      return send(request, response);
    });
    mounted.all(refuseMethod(page.path, ['get'], settings));
  }

  app.use((request: Request, response: Response) => {
    limitUnrouted(request, admission(settings, response));
    throw new ApiError('not_found', 'No such route');
  });
  // Express tells an error handler by its four parameters.
  app.use((error: unknown, request: Request, response: Response, next: NextFunction) => {
    answerFailure(error, request, response, settings.logger).catch(next);
  });
  return app;
}

const METHODS = { get: ['GET', 'HEAD'], post: ['POST'], patch: ['PATCH'], delete: ['DELETE'] } as const;

/** 405 for whatever is none of the methods of this path. */
function refuseMethod(path: string, methods: readonly Endpoint['method'][], settings: AppSettings) {
  const allow = [...new Set(methods.flatMap((method) => METHODS[method]))].sort().join(', ');
  return (request: Request, response: Response): void => {
    setPattern(response, path);
    limitUnrouted(request, admission(settings, response));
    throw new ApiError('method_not_allowed', `The methods here are: ${allow}`, undefined, { allow });
  };
}

/** Routes grouped by path, literal segments before parameters, so that `markets/signals` is not taken for an id. */
function byPath(routes: readonly AnyRoute[]): [string, AnyRoute[]][] {
  const groups = new Map<string, AnyRoute[]>();
  for (const one of routes) groups.set(one.endpoint.path, [...(groups.get(one.endpoint.path) ?? []), one]);
  for (const [path, group] of groups) {
    const methods = group.map((one) => one.endpoint.method);
    const twice = methods.find((method, index) => methods.indexOf(method) < index);
    if (twice !== undefined) throw new Error(`${twice} of ${path} is mounted twice`);
  }
  const rank = (path: string): string => path.replaceAll(/\{\w+\}/g, '\uffff');
  return [...groups].sort(([a], [b]) => (rank(a) < rank(b) ? -1 : 1));
}

/** One request through one route, in the order of checks that http-rules fixes. */
function serve(route: AnyRoute, settings: AppSettings) {
  const { endpoint } = route;
  return async (request: Request, response: Response): Promise<void> => {
    setPattern(response, endpoint.path);
    if (endpoint.auth !== 'public') response.setHeader('cache-control', 'no-store');
    const caller = await admit(route, request, admission(settings, response));
    const input = await readInput(endpoint, request);
    const handlerMs = settings.handlerMs ?? 10_000;
    if ('open' in route) {
      const lastEventIds = request.headersDistinct['last-event-id'] ?? [];
      await within(handlerMs, () => route.open(caller, { ...input, lastEventIds }, beginStream(request, response)));
      return;
    }
    const answer = await within(handlerMs, () => route.handler(caller, input));
    if (settings.validateAnswers === true) assertDeclared(endpoint, answer);
    if (answer.readyMade === undefined) sendAnswer(response, answer);
    else sendReadyMade(request, response, answer);
  };
}

function assertDeclared(endpoint: Endpoint, answer: Answer<unknown>): void {
  const body: unknown = answer.readyMade === undefined ? answer.body : JSON.parse(answer.readyMade.bytes.toString());
  const checked = endpoint.answer.safeParse(body);
  if (!checked.success) throw new Error(`the answer of ${endpoint.id} is not as declared: ${checked.error.message}`);
}

async function answerFailure(error: unknown, request: Request, response: Response, logger: Logger): Promise<void> {
  const answer = toApiError(error);
  if (answer.code === 'internal') logger.error({ err: error, requestId: response.getHeader('x-request-id') });
  if (!(await settleUnreadBody(request))) response.setHeader('connection', 'close');
  sendError(response, answer);
}

function admission(settings: AppSettings, response: Response): AdmissionSettings {
  return {
    operators: settings.operators,
    rateLimiter: settings.rateLimiter,
    limited: (verdict) => response.setHeaders(new Map(Object.entries(rateLimitHeaders(verdict)))),
  };
}

/** RFC 9112, 3.2: a request of HTTP/1.1 names its host once. Checked here because Node's own answer has no body. */
function assertHost(request: Request): void {
  const { rawHeaders } = request;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'host') hosts += 1;
  const wanted = request.httpVersion === '1.1' ? hosts === 1 : hosts <= 1;
  if (!wanted) throw new ApiError('validation_failed', 'validation failure: Host: the header must be given once');
}
