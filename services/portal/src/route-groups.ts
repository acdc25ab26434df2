import type { RouteGroup } from './http/route.ts';
import { fleetRoutes } from './http/fleet-routes.ts';
import { passThrough } from './http/pass-through.ts';
import { sessionRoutes } from './http/session-routes.ts';
import { signInRoutes } from './http/sign-in-routes.ts';
import { signUpRoutes } from './http/sign-up-routes.ts';
import type { PortalParts } from './portal-parts.ts';

/** All groups of routes, one for each topic. */
export function routeGroups(parts: PortalParts): readonly RouteGroup[] {
  return [sessionRoutes(parts), signUpRoutes(parts), signInRoutes(parts), fleetRoutes(parts), passThrough(parts)];
}
