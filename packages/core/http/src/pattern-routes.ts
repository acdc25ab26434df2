import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '@paper/contracts';
import type { Endpoint } from '@paper/contracts';
import express from 'express';
import type { RequestHandler, Response } from 'express';
import { NO_ROUTE } from './call.ts';
import type { Call } from './call.ts';
import { servePage } from './page.ts';
import type { Page } from './page.ts';

/** Serves one call of an endpoint. Throws the error to answer with, or rejects with it. */
export type Serve = (call: Call, params: Readonly<Record<string, string>>) => void | Promise<void>;

/** An Express app with its last parameter, which Express's types omit. */
type Handle = (request: IncomingMessage, response: ServerResponse, failed: (error: unknown) => void) => void;

interface ServedRoute {
  readonly endpoint: Pick<Endpoint, 'method' | 'path'>;
  readonly serve: Serve;
}

/** Serves routes and pages by Express patterns. `limit` counts what matches none; `fail` answers all errors. */
export function patternRoutes(
  routes: readonly ServedRoute[],
  pages: readonly Page[],
  limit: (call: Call) => void,
  fail: (error: unknown, call: Call) => void,
): (call: Call) => void {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.enable('case sensitive routing');
  app.enable('strict routing');
  for (const [path, group] of byPath(routes)) {
    const mounted = app.route(path.replaceAll(/\{(\w+)\}/g, ':$1'));
    for (const { endpoint, serve } of group) {
      // None of our patterns has a wildcard, whose value would be a list.
      mounted[endpoint.method]((request, response) =>
        serve(callOf(response), request.params as Record<string, string>),
      );
    }
    mounted.all(
      refuseMethod(
        path,
        group.map(({ endpoint }) => endpoint.method),
        limit,
      ),
    );
  }
  for (const page of pages) {
    const send = servePage(page);
    const mounted = app.route(page.path);
    mounted.get((_request, response) => {
      const call = callOf(response);
      call.pattern = page.path;
      limit(call);
      return send(call);
    });
    mounted.all(refuseMethod(page.path, ['get'], limit));
  }

  // Express calls back with an error, or with none for a path without a route, and never answers by itself. It keeps the
  // response's locals.
  const handle: Handle = app;
  return (call) =>
    handle(call.request, Object.assign(call.response, { locals: { call } }), (error) =>
      fail(refusalOf(call, error ?? new ApiError('not_found', 'No such route'), limit), call),
    );
}

/** Counts a request without a route, also where Express cannot read its path. Returns the error to answer with. */
function refusalOf(call: Call, error: unknown, limit: (call: Call) => void): unknown {
  try {
    if (call.pattern === NO_ROUTE) limit(call);
    return error;
  } catch (refusal) {
    return refusal;
  }
}

function callOf(response: Response): Call {
  return (response.locals as { readonly call: Call }).call;
}

const METHODS = { get: ['GET', 'HEAD'], post: ['POST'], put: ['PUT'], patch: ['PATCH'], delete: ['DELETE'] } as const;

/** The refusal of a method that a path does not have; `allow` lists the methods that it has, as the header does. */
export function methodNotAllowed(allow: string): ApiError {
  return new ApiError('method_not_allowed', `The methods here are: ${allow}`, undefined, { allow });
}

function refuseMethod(
  path: string,
  methods: readonly Endpoint['method'][],
  limit: (call: Call) => void,
): RequestHandler {
  const allow = [...new Set(methods.flatMap((method) => METHODS[method]))].sort().join(', ');
  return (_request, response) => {
    const call = callOf(response);
    call.pattern = path;
    limit(call);
    throw methodNotAllowed(allow);
  };
}

/** Groups routes by path, literal segments before parameters, so that `markets/signals` is not taken for an id. */
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
