import type { IncomingMessage } from 'node:http';
import type { Endpoint } from '@paper/contracts';
import { pathOf } from './request-path.ts';

/** The handler of an endpoint, and the parameters of its path. */
export interface DirectRoute<S> {
  readonly serve: S;
  readonly params: Readonly<Record<string, string>>;
}

/** A segment that is the same with percent signs and without. */
const PLAIN = /^[A-Za-z0-9._:-]+$/;
const NONE = {};

/**
 * Finds what is asked most without trying one pattern after the other: a POST of a literal path (an order), a GET of one
 * or of a path whose last segment is its only parameter, plainly written. Null: to be looked for among the patterns,
 * where everything that is found here would be found just so. A literal path goes before a parameter.
 */
export function directRoutes<S>(
  routes: readonly { readonly endpoint: Pick<Endpoint, 'method' | 'path'>; readonly serve: S }[],
): (request: Pick<IncomingMessage, 'method' | 'url'>) => DirectRoute<S> | null {
  const literal = { get: new Map<string, DirectRoute<S>>(), post: new Map<string, DirectRoute<S>>() };
  const byPrefix = new Map<string, { readonly name: string; readonly serve: S }>();
  const taken = new Set(routes.map(({ endpoint }) => endpoint.path));
  for (const { endpoint, serve } of routes) {
    const { method } = endpoint;
    if (method !== 'get' && method !== 'post') continue;
    const [, prefix, name] = /^([^{}]*\/)\{(\w+)\}$/.exec(endpoint.path) ?? [];
    if (!endpoint.path.includes('{')) literal[method].set(endpoint.path, { serve, params: NONE });
    else if (method === 'get' && prefix !== undefined && name !== undefined) byPrefix.set(prefix, { name, serve });
  }
  return (request) => {
    if (request.method === 'POST') return literal.post.get(pathOf(request)) ?? null;
    if (request.method !== 'GET') return null;
    const path = pathOf(request);
    const known = literal.get.get(path);
    if (known !== undefined) return known;
    const last = path.lastIndexOf('/') + 1;
    const found = byPrefix.get(path.slice(0, last));
    const segment = path.slice(last);
    // A literal path that takes other methods only is that path's 405.
    if (found === undefined || !PLAIN.test(segment) || taken.has(path)) return null;
    return { serve: found.serve, params: { [found.name]: segment } };
  };
}
