import { text } from '@paper/contracts';
import { z } from 'zod';
import { givenPassword } from '../identity/passwords.ts';
import { PasswordSignIn } from '../identity/sign-in.ts';
import type { PortalParts } from './portal-parts.ts';
import { beginSession } from './begin-session.ts';
import { portalRoute } from './route.ts';
import type { RouteGroup } from './route.ts';

/** The routes of sign-in by a password, and of the proof by it within a session. */
export function signInRoutes(parts: PortalParts): RouteGroup {
  const { db, opening, passwords, sessions, throttle } = parts;
  const signIn = new PasswordSignIn(db, passwords, throttle);
  return {
    routes: [
      portalRoute(
        'post',
        '/portal/sign-in',
        'nothing',
        {
          // The maximum is long enough for an e-mail address.
          body: z.strictObject({ name: text(1, 320), password: givenPassword }),
        },
        async (call, { body: { name, password } }) => {
          const person = await signIn.find(name, { password, address: call.address, signal: call.signal });
          // The sign-up was interrupted, and the person has now signed in.
          if (person.state === 'pending') await opening.finish(person.id);
          return beginSession(parts, call, person.id, person.password_hash);
        },
      ),
      portalRoute(
        'post',
        '/portal/prove',
        'session',
        { body: z.strictObject({ password: givenPassword }) },
        async ({ address, session, signal }, { body: { password } }) => {
          await signIn.check(session.person, { password, address, signal });
          return { body: { provenUntil: (await sessions.prove(session.id)).toISOString() } };
        },
      ),
    ],
  };
}
