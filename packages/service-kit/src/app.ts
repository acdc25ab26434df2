import type { RequestListener, ServerResponse } from 'node:http';
import { type Answer, ApiError, type Endpoint } from '@paper/contracts';
import express, { type Express, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import type { Logger } from 'pino';
import { addressOf } from './address.ts';
import { type AdmissionSettings, admit, limitAddress } from './admission.ts';
import { sendAnswer, sendError, toApiError } from './answer.ts';
import { settleUnreadBody } from './body.ts';
import type { Call } from './call.ts';
import { directRoutes } from './direct-routes.ts';
import { beginStream } from './event-stream.ts';
import type { Metrics } from './metrics.ts';
import { observeRequests } from './observe-request.ts';
import { type Page, servePage } from './page.ts';
import { makeReady, sendReadyMade } from './ready-made.ts';
import { readInput } from './request-input.ts';
import type { Route, StreamRoute } from './route.ts';
import { within } from './within.ts';

type AnyRoute = Route | StreamRoute;

/** What an app is made of. */
export interface AppSettings extends AdmissionSettings {
  /** Of all sides that one process serves; no method and path twice. */
  readonly routes: readonly AnyRoute[];
  /** For browsers, beside the API: limited as reads of their address. Default: none. */
  readonly pages?: readonly Page[];
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Addresses, subnets or the names that proxy-addr knows (`loopback`) whose X-Forwarded-For is believed. Default: none. */
  readonly trustedProxies?: readonly string[];
  /** In tests: an answer that does not fit its endpoint's schema is a 500. */
  readonly validateAnswers?: boolean;
  /** A handler that takes longer is answered 503 for. Default 10,000. */
  readonly handlerMs?: number;
}

/** Serves one call of an endpoint, with the parameters of its path. Rejects with what is to be answered. */
type Serve = (call: Call, params: Readonly<Record<string, string>>) => Promise<void>;

interface ServedRoute {
  readonly endpoint: Endpoint;
  readonly serve: Serve;
}

/**
 * One app over all routes, doing generically everything of http-rules that is no endpoint's own: route and method, who
 * calls, how often, whether they may, the form of what they send; then the handler; then headers, errors, log, metrics.
 *
 * Express finds the routes. What is read most is found before it is asked, since its own part of a request costs more
 * than all else that a ready-made answer needs.
 */
export function createApp(settings: AppSettings): RequestListener {
  const { logger, metrics, trustedProxies = [] } = settings;
  const observe = observeRequests(logger, metrics, addressOf(trustedProxies));
  const routes = settings.routes.map((one) => ({ endpoint: one.endpoint, serve: serveRoute(one, settings) }));
  const findDirectly = directRoutes(routes);
  const mounted = mount(routes, settings);

  const fail = (error: unknown, call: Call): void => {
    answerFailure(error, call, logger).catch(() => call.response.destroy());
  };
  return (request, response) => {
    const call = observe(request, response);
    const found = findDirectly(request);
    if (!hasOneHost(call)) fail(new ApiError('validation_failed', NO_HOST), call);
    else if (found === null) mounted(request, attach(response, call));
    else found.serve(call, found.params).catch((error: unknown) => fail(error, call));
  };
}

/** All routes and pages by the patterns of Express, and an answer for what is none of them. */
function mount(routes: readonly ServedRoute[], settings: AppSettings): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.enable('case sensitive routing');
  app.enable('strict routing');
  for (const [path, group] of byPath(routes)) {
    const mounted = app.route(path.replaceAll(/\{(\w+)\}/g, ':$1'));
    for (const { endpoint, serve } of group) {
      // No pattern of ours has a wildcard, whose value would be a list.
      mounted[endpoint.method]((request, response) =>
        serve(callOf(response), request.params as Record<string, string>),
      );
    }
    mounted.all(
      refuseMethod(
        path,
        group.map(({ endpoint }) => endpoint.method),
        settings,
      ),
    );
  }
  for (const page of settings.pages ?? []) {
    const send = servePage(page);
    const mounted = app.route(page.path);
    mounted.get((_request, response) => {
      const call = callOf(response);
      call.pattern = page.path;
      limitAddress(call, 'reads', settings);
      return send(call);
    });
    mounted.all(refuseMethod(page.path, ['get'], settings));
  }

  app.use((_request, response) => {
    limitAddress(callOf(response), 'reads', settings);
    throw new ApiError('not_found', 'No such route');
  });
  // Express tells an error handler by its four parameters.
  app.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
    answerFailure(error, callOf(response), settings.logger).catch(next);
  });
  return app;
}

/** Express leaves the locals of an answer as it finds them. */
function attach(response: ServerResponse, call: Call): ServerResponse {
  return Object.assign(response, { locals: { call } });
}

function callOf(response: Response): Call {
  return (response.locals as { readonly call: Call }).call;
}

const METHODS = { get: ['GET', 'HEAD'], post: ['POST'], patch: ['PATCH'], delete: ['DELETE'] } as const;

/** 405 for whatever is none of the methods of this path. */
function refuseMethod(path: string, methods: readonly Endpoint['method'][], settings: AppSettings): RequestHandler {
  const allow = [...new Set(methods.flatMap((method) => METHODS[method]))].sort().join(', ');
  return (_request, response) => {
    const call = callOf(response);
    call.pattern = path;
    limitAddress(call, 'reads', settings);
    throw new ApiError('method_not_allowed', `The methods here are: ${allow}`, undefined, { allow });
  };
}

/** Routes grouped by path, literal segments before parameters, so that `markets/signals` is not taken for an id. */
function byPath(routes: readonly ServedRoute[]): [string, ServedRoute[]][] {
  const groups = new Map<string, ServedRoute[]>();
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
function serveRoute(route: AnyRoute, settings: AppSettings): Serve {
  const { endpoint } = route;
  const handlerMs = settings.handlerMs ?? 10_000;
  return async (call, params) => {
    call.pattern = endpoint.path;
    call.isPrivate = endpoint.auth !== 'public';
    const caller = await admit(route, call, settings);
    const input = await readInput(endpoint, call.request, params);
    if ('open' in route) {
      const lastEventIds = call.request.headersDistinct['last-event-id'] ?? [];
      await within(handlerMs, () => route.open(caller, { ...input, lastEventIds }, beginStream(call)));
      return;
    }
    const answer = await within(handlerMs, () => route.handler(caller, input));
    if (settings.validateAnswers === true) assertDeclared(endpoint, answer);
    if (answer.readyMade !== undefined) sendReadyMade(call, answer);
    else if (endpoint.conditional) sendReadyMade(call, makeReady(answer));
    else sendAnswer(call, answer);
  };
}

function assertDeclared(endpoint: Endpoint, answer: Answer<unknown>): void {
  const body: unknown = answer.readyMade === undefined ? answer.body : JSON.parse(answer.readyMade.bytes.toString());
  const checked = endpoint.answer.safeParse(body);
  if (!checked.success) throw new Error(`the answer of ${endpoint.id} is not as declared: ${checked.error.message}`);
}

/** Answers with what went wrong. What is left of the request's body is settled first. */
async function answerFailure(error: unknown, call: Call, logger: Logger): Promise<void> {
  const answer = toApiError(error);
  if (answer.code === 'internal') logger.error({ err: error, requestId: call.requestId });
  if (!(await settleUnreadBody(call.request))) call.response.shouldKeepAlive = false;
  sendError(call, answer);
}

const NO_HOST = 'validation failure: Host: the header must be given once';

/** RFC 9112, 3.2: a request of HTTP/1.1 names its host once. Checked here because Node's own answer has no body. */
function hasOneHost({ request: { rawHeaders, httpVersion } }: Call): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return httpVersion === '1.1' ? hosts === 1 : hosts <= 1;
}
