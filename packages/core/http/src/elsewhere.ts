import { ApiError } from '@paper/contracts';
import type { Endpoint } from '@paper/contracts';
import type { Route, StreamRoute } from './route.ts';

/** Adds the endpoints of other processes, which answer 404 with a hint, so that a 405 names all methods of a path. */
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
