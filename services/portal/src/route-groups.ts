import type { RouteGroup } from './http/route.ts';
import { sessionRoutes } from './http/session-routes.ts';
import type { PortalParts } from './portal-parts.ts';

/** All groups of routes, one for each topic. */
export function routeGroups(parts: PortalParts): readonly RouteGroup[] {
  return [sessionRoutes(parts)];
}
