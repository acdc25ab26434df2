import { text } from '@paper/contracts';
import { z } from 'zod';
import { givenPassword } from '../identity/passwords.ts';
import { PasswordSignIn } from '../identity/sign-in.ts';
import type { PortalParts } from './portal-parts.ts';
import { SESSION_COOKIE } from './app.ts';
import { beginSession, personBody } from './begin-session.ts';
import { companyName } from './company-routes.ts';
import { setCookie } from './cookies.ts';
import { portalRoute } from './route.ts';
import type { RouteGroup } from './route.ts';
import { signUpMode } from './sign-up-routes.ts';

// The maximum is long enough for an e-mail address.
const signInBody = z.strictObject({ name: text(1, 320), password: givenPassword });
const proveBody = z.strictObject({ password: givenPassword });

/** The routes of the facts that every page needs first, of sign-in and proof by a password, and of sign-out. */
export function sessionRoutes(parts: PortalParts): RouteGroup {
  const { config, db, opening, passwords, recovery, sessions, throttle } = parts;
  const signIn = new PasswordSignIn(db, passwords, throttle);
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
            publicUrl: site.origin,
            insecure: site.isInsecure,
            reason: site.refusal(call.request.headers.host ?? ''),
            newSignIn: session === null ? null : await sessions.newestAfter(session.id),
            needsRecoveryCodes: session !== null && !(await recovery.hasStoredCodes(session.person.id)),
            person: session === null ? null : personBody(session.person, session.provenUntil),
          },
        };
      }),
      portalRoute('post', '/portal/sign-in', 'nothing', { body: signInBody }, async (call, { body }) => {
        const { address, signal } = call;
        const person = await signIn.find(body.name, { password: body.password, address, signal });
        // The sign-up was interrupted, and the person has now signed in.
        if (person.state === 'pending') await opening.finish(person.id);
        return beginSession(parts, call, person.id, person.password_hash);
      }),
      portalRoute('post', '/portal/prove', 'session', { body: proveBody }, async (call, { body: { password } }) => {
        const { address, session, signal } = call;
        await signIn.check(session.person, { password, address, signal });
        return { body: { provenUntil: (await sessions.prove(session.id)).toISOString() } };
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
