import { ApiError } from '@paper/contracts';
import type { Endpoint } from '@paper/contracts';
import type { Route, StreamRoute } from './route.ts';

/**
 * Adds to the routes of a process the API's endpoints that other processes serve. So a 405 names the same methods of a
 * path as where one process serves everything. A request for another process's endpoint bypassed the front door, and is
 * answered with 404 and a hint.
 */
export function withRoutesServedElsewhere<R extends Route | StreamRoute>(
  routes: readonly R[],
  endpoints: Readonly<Record<string, Endpoint>>,
): (R | Route)[] {
  const here = new Set(routes.map(({ endpoint }) => endpoint.id));
  const others = Object.values(endpoints).filter(({ id }) => !here.has(id));
  return [...routes, ...others.map((endpoint) => ({ endpoint, authenticate: misdirected, handler: misdirected }))];
}

function misdirected(): Promise<never> {
  return Promise.reject(
    new ApiError('not_found', 'Another process of this service serves this endpoint: use the base URL of the service'),
  );
}
