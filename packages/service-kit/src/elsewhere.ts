import { ApiError, type Endpoint } from '@paper/contracts';
import type { Route, StreamRoute } from './route.ts';

/**
 * The routes of a process that answers some of the API's endpoints, completed by the others: a path then has the same
 * methods for 405 as where one process answers all. Whoever asks here for what is another's went past the front door.
 */
export function amongAll<R extends Route | StreamRoute>(
  routes: readonly R[],
  endpoints: Readonly<Record<string, Endpoint>>,
): (R | Route)[] {
  const here = new Set(routes.map(({ endpoint }) => endpoint.id));
  const others = Object.values(endpoints).filter(({ id }) => !here.has(id));
  return [...routes, ...others.map((endpoint) => ({ endpoint, authenticate: misdirected, handler: misdirected }))];
}

function misdirected(): Promise<never> {
  return Promise.reject(new ApiError('not_found', 'Another process of this service answers this: ask at its base URL'));
}
