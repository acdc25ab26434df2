import { ApiError } from '@paper/contracts';
import { everythingStored } from '../accounts/everything-stored.ts';
import type { PortalParts } from './portal-parts.ts';
import { SESSION_COOKIE } from './app.ts';
import { setCookie } from './cookies.ts';
import { portalRoute } from './route.ts';
import type { RouteGroup } from './route.ts';

/** The routes to everything that is stored about a person, and to its deletion. */
export function accountRoutes({ db, deletions, site }: PortalParts): RouteGroup {
  return {
    routes: [
      portalRoute('get', '/portal/me', 'session', {}, async ({ session }) => ({
        body: await everythingStored(db, session.person),
      })),
      portalRoute('delete', '/portal/me', 'proof', {}, async ({ session }) => {
        const state = await deletions.order(session.person.id);
        if (state === null) throw new ApiError('not_found', 'This account is deleted already');
        return {
          status: 202,
          body: { state },
          cookies: [setCookie(SESSION_COOKIE, '', site(), { maxAgeSeconds: 0 })],
        };
      }),
    ],
  };
}
