import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Route, StreamRoute } from './route.ts';

type Serve = (request: Request, response: Response) => Promise<void>;

/** A segment that is the same with percent signs and without. */
const PLAIN = /^[A-Za-z0-9._:-]+$/;

/**
 * Finds what is read most without trying one pattern after the other: a GET of a literal path, or of one whose last
 * segment is its only parameter, plainly written. Everything else goes on to the patterns, and would find the same
 * there: a literal path goes before a parameter.
 */
export function directly<R extends Route | StreamRoute>(
  routes: readonly R[],
  serve: (route: R) => Serve,
): RequestHandler {
  const literal = new Map<string, Serve>();
  const byPrefix = new Map<string, { readonly name: string; readonly run: Serve }>();
  const taken = new Set(routes.map(({ endpoint }) => endpoint.path));
  for (const route of routes) {
    const { method, path } = route.endpoint;
    if (method !== 'get') continue;
    const [, prefix, name] = /^([^{}]*\/)\{(\w+)\}$/.exec(path) ?? [];
    if (!path.includes('{')) literal.set(path, serve(route));
    else if (prefix !== undefined && name !== undefined) byPrefix.set(prefix, { name, run: serve(route) });
  }
  return (request: Request, response: Response, next: NextFunction): void => {
    if (request.method !== 'GET') {
      next();
      return;
    }
    const { path } = request;
    const run = literal.get(path);
    if (run !== undefined) {
      run(request, response).catch(next);
      return;
    }
    const last = path.lastIndexOf('/') + 1;
    const found = byPrefix.get(path.slice(0, last));
    const segment = path.slice(last);
    // A literal path that takes other methods only is that path's 405.
    if (found === undefined || !PLAIN.test(segment) || taken.has(path)) {
      next();
      return;
    }
    request.params = { [found.name]: segment };
    found.run(request, response).catch(next);
  };
}
