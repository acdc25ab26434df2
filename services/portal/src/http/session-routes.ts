import type { PortalParts } from './portal-parts.ts';
import { SESSION_COOKIE } from './app.ts';
import { companyName } from './company-routes.ts';
import { setCookie } from './cookies.ts';
import { portalRoute } from './route.ts';
import type { RouteGroup } from './route.ts';
import { personBody } from './person-body.ts';
import { signUpMode } from './sign-up-mode.ts';

/** The routes of the facts that every page needs first, and of the end of sessions. */
export function sessionRoutes(parts: PortalParts): RouteGroup {
  const { config, recovery, sessions } = parts;
  const removed = (): string => setCookie(SESSION_COOKIE, '', parts.site(), { maxAgeSeconds: 0 });
  return {
    routes: [
      portalRoute('get', '/portal/session', 'nothing', { worksWithoutSignIn: true }, async ({ call, session }) => {
        const site = parts.site();
        return {
          body: {
            signUp: signUpMode(config, site),
            emailEnabled: config.SMTP_URL !== undefined,
            passkeysEnabled: site.hasPasskeys,
            companyName: companyName(config),
            publicUrl: site.publicUrl,
            insecure: site.isInsecure,
            reason: site.refusal(call.request.headers.host ?? ''),
            newSignIn: session === null ? null : await sessions.newestAfter(session.id),
            needsRecoveryCodes: session !== null && !(await recovery.hasStoredCodes(session.person.id)),
            person: session === null ? null : personBody(session.person, session.provenUntil),
          },
        };
      }),
      portalRoute('post', '/portal/sign-out', 'nothing', {}, async ({ session }) => {
        if (session !== null) await sessions.end(session.person.id, session.id);
        return { cookies: [removed()] };
      }),
      portalRoute('post', '/portal/sign-out-everywhere', 'session', {}, async ({ session }) => {
        await sessions.endAll(session.person.id);
        return { cookies: [removed()] };
      }),
    ],
  };
}
