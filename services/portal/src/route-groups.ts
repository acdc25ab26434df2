import { companyRoutes } from './http/company-routes.ts';
import { fleetRoutes } from './http/fleet-routes.ts';
import { liveRoutes } from './http/live-routes.ts';
import { operatorRoutes } from './http/operator-routes.ts';
import { passkeyRoutes } from './http/passkey-routes.ts';
import { passThrough } from './http/pass-through.ts';
import { recoveryRoutes } from './http/recovery-routes.ts';
import type { RouteGroup } from './http/route.ts';
import { securityRoutes } from './http/security-routes.ts';
import { sessionRoutes } from './http/session-routes.ts';
import { signUpRoutes } from './http/sign-up-routes.ts';
import type { PortalParts } from './http/portal-parts.ts';

export function routeGroups(parts: PortalParts): readonly RouteGroup[] {
  return [
    sessionRoutes(parts),
    signUpRoutes(parts),
    passkeyRoutes(parts),
    companyRoutes(parts),
    recoveryRoutes(parts),
    securityRoutes(parts),
    fleetRoutes(parts),
    passThrough(parts),
    liveRoutes(parts),
    operatorRoutes(parts),
  ];
}
